"""Runs everything that is measured of one folder of models.

Input: `Settings` and the photos. Output: `Measured`, from which all tables are made.
Invariant: nothing is kept from an earlier run; what was not measured is empty, and the tables say
so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluation import ablation, clutter, distractors, metrics, sources, speed
from evaluation.program import Program

OURS = "our renders"
# Samples that stand for a phone photo in the measurement of speed: enough for a median, few enough
# for a minute.
LARGE_PHOTOS = 5


@dataclass
class Measured:
    """All measurements of one folder of models; `sets` is of the held-out sets of later
    collections, which no other figure counts."""

    models: Path
    results: list = field(default_factory=list)
    sets: list = field(default_factory=list)
    crops: list = field(default_factory=list)
    blank: list = field(default_factory=list)
    clutter: list = field(default_factory=list)
    shortened: list = field(default_factory=list)
    speed: speed.Speed | None = None
    megabytes: float | None = None

    @property
    def real(self) -> list[Any]:
        """Held-out real photos; drawings from the web are kept apart."""
        return [r for r in self.results if is_real(r.photo)]

    @property
    def ours(self) -> list[metrics.PhotoResult]:
        """Our renders."""
        return [r for r in self.results if r.photo.source == OURS]

    @property
    def web(self) -> list[Any]:
        """Pictures from the web, held out."""
        return [r for r in self.results if r.photo.kind == "drawing"]


def is_real(photo: metrics.Photo) -> bool:
    """A photo from somebody's camera."""
    return photo.source != OURS and photo.kind not in ("drawing", "blank")


@dataclass(frozen=True)
class Settings:
    """Program and folders of a measurement; `shared` None leaves real photos out."""

    program: Path
    shared: str
    samples: Path
    out: Path
    say: Callable[[str], None] = print


def photos(settings: Settings) -> list[Any]:
    """All photos with a truth: held-out real ones, our renders."""
    real = sources.real_photos(settings.shared, settings.out / "photos") if settings.shared else []
    return real + sources.samples(settings.samples)


def later_sets(settings):
    """The held-out photos of sets that came later; none without the shared folder."""
    return sources.real_photos(settings.shared, settings.out / "photos", ("sets",)) if settings.shared else []


def judged(program, some, say):
    """Reads photos with the program and judges each."""
    answers = program.read([photo.path for photo in some], say)
    return [metrics.judge(photo, reading, seconds) for photo, (reading, seconds) in zip(some, answers)]


def named_crops(program: Program, settings: Settings, margin: float) -> list[Any]:
    """[(path, truth, answer)] of the unseen-set crops; empty without the shared folder."""
    if not settings.shared:
        return []
    crops = sources.crops(settings.shared, settings.out / "crops", margin)
    answers = program.classify([path for path, _ in crops], settings.say)
    return [(path, truth, answer) for (path, truth), (answer, _) in zip(crops, answers)]


def everything(settings: Settings, models: Any, some: list[metrics.Photo], with_ablation: bool = True) -> Measured:
    """`Measured` of one folder of models over these photos."""
    program = Program(settings.program, models)
    measured = Measured(models, megabytes=speed.models_megabytes(models))
    measured.results = judged(program, some, settings.say)
    measured.sets = judged(program, later_sets(settings), settings.say)
    measured.blank = judged(program, distractors.photos(settings.out / "blank"), settings.say)
    measured.clutter = clutter.run(program, settings.out / "clutter", settings.samples, settings.say)
    measured.crops = named_crops(program, settings, sources.crop_margin(models))
    if with_ablation:
        measured.shortened = ablation.run(program, some, settings.say)
    measured.speed = speed.measure(program, large_photos(settings))
    return measured


def large_photos(settings: Settings) -> list[Any]:
    """The first landscape samples at 12 megapixels."""
    names = [photo.path for photo in sources.samples(settings.samples)][:LARGE_PHOTOS]
    return speed.enlarge(names, settings.out / "large")
