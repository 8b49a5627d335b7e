"""Reading of photos."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, Union, cast

from ._html import reading_html
from ._native import NativeReader, Score
from ._part import field_of, plain
from ._rules import SHIPPED, Rules, ask
from .types import (
    Answer,
    AnsweredReading,
    Award,
    Context,
    Doubt,
    GivenAnswer,
    Hand,
    Lang,
    PhotoReading,
    Repair,
    RulesetScore,
    Status,
    TotalRange,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

_MODELS = Path(__file__).parent / "models"


class PillowImage(Protocol):
    """Image of Pillow."""

    @property
    def size(self) -> tuple[int, int]: ...

    def convert(self, mode: str, /) -> PillowImage: ...

    def tobytes(self) -> bytes: ...


class PixelArray(Protocol):
    """Array of height x width x 3 or 4 bytes, such as NumPy's."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...


#: File of a photo: a path, its bytes, or a file that is open in binary mode (also in memory).
PhotoFile = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, BinaryIO]

#: Photo: a file, an image of Pillow, or an array of pixels.
Photo = Union[PhotoFile, "PillowImage", "PixelArray"]


@dataclass(frozen=True)
class SetFile:
    """Own set that a person's tiles were learned from, as `tilesight set learn` writes it."""

    text: str

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> SetFile:
        """Read a file."""
        return cls(Path(path).read_text(encoding="utf-8"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file."""
        Path(path).write_text(self.text, encoding="utf-8")


class Reading:
    """The reading of a photo: the hand, its score, and the questions that are open.

    Its fields are the same before and after `answer`. It never changes, and equals another reading
    with the same content.
    """

    def __init__(
        self,
        rules: Rules,
        answer: dict[str, Any],
        scoring: dict[str, Any],
        read: dict[str, Any] | None = None,
        given: Sequence[GivenAnswer] = (),
    ) -> None:
        self._rules, self._answer, self._scoring = rules, answer, scoring
        # The reading of the photo, to which all answers apply.
        self._read: dict[str, Any] = answer["reading"] if read is None else read
        self._given = tuple(given)

    @property
    def _current(self) -> dict[str, Any]:
        """Hand, score and doubts after all answers."""
        return self._answer if self._given else self._read

    def _field(self, name: str) -> Any:
        return field_of(AnsweredReading if self._given else PhotoReading, self._current, name)

    @property
    def status(self) -> Status:
        """Whether the reading is reliable."""
        return self._field("status")

    @property
    def hand(self) -> Hand:
        """Hand, with its line of notation."""
        return self._field("hand")

    @property
    def context(self) -> Context:
        """Win context, as far as it is known: the arguments of a call that scores the hand."""
        return self._field("context")

    @property
    def notation(self) -> str:
        """Hand and win context in one line."""
        return self._current["hand"]["notation"]

    @property
    def score(self) -> Score | None:
        """Score of the hand; `None` if it can't be scored."""
        return self._field("score")

    @property
    def scores(self) -> tuple[RulesetScore, ...]:
        """Scores by each of the `rulesets` that were asked for."""
        return field_of(AnsweredReading if self._given else Answer, self._answer, "scores") or ()

    @property
    def no_score(self) -> str | None:
        """Reason why there is no score; `None` beside one."""
        reason = self._current.get("problem") or self._current.get("no_score")
        return reason["detail"] if reason else None

    @property
    def total(self) -> int | None:
        """Total of the score; `None` if the hand can't be scored."""
        return None if self.score is None else self.score.total

    @property
    def legal(self) -> bool:
        """Whether the hand is a legal win."""
        return self.score is not None and self.score.legal

    @property
    def han(self) -> int | None:
        """Han of the score, in riichi alone."""
        return None if self.score is None else self.score.han

    @property
    def fu(self) -> int | None:
        """Fu of the score, in riichi alone."""
        return None if self.score is None else self.score.fu

    @property
    def faan(self) -> int | None:
        """Faan of the score, in Hong Kong's games alone."""
        return None if self.score is None else self.score.faan

    @property
    def tai(self) -> int | None:
        """Tai of the score, in the game of sixteen tiles alone."""
        return None if self.score is None else self.score.tai

    @property
    def awards(self) -> tuple[Award, ...]:
        """Lines that count."""
        return () if self.score is None else self.score.awards

    @property
    def payments(self) -> dict[str, int]:
        """Gain or loss of every seat, by `E`, `S`, `W` and `N`; empty without a score."""
        return {} if self.score is None else self.score.payments

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """Questions whose answers would change the score, the most important first."""
        return self._field("doubts")

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """Changes that would make a winning hand of one that does not win."""
        return self._field("repairs")

    @property
    def possible(self) -> TotalRange | None:
        """Possible totals, if the doubts leave several."""
        return self._field("possible")

    @property
    def photo(self) -> PhotoReading:
        """The reading of the photo before all answers: every tile that was seen, and how sure it
        is."""
        return PhotoReading.from_dict(self._read)

    def answer(self, *answers: GivenAnswer, lang: Lang | None = None) -> Reading:
        """Return the reading with answers to its doubts."""
        given = [*self._given, *answers]
        request = {"reading": self._read, "answers": given, **self._scoring}
        return Reading(self._rules, ask(self._rules, "answers", request, lang), self._scoring, self._read, given)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as JSON has it."""
        return cast("dict[str, Any]", json.loads(json.dumps(self._answer)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reading) and (self._current, self._read) == (other._current, other._read)

    def __hash__(self) -> int:
        return hash((self.notation, self.total))

    def __deepcopy__(self, memo: object) -> Reading:
        return self

    def __repr__(self) -> str:
        total = "no score" if self.total is None else self.total
        return f"<Reading {self.notation}: {total}>"

    def _repr_html_(self) -> str:
        return reading_html(self._current)


class Reader:
    """Reader of photos. Threads may share it.

    ONNX Runtime runs the networks: `pip install tilesight[photos]`.
    """

    def __init__(
        self,
        *,
        rules: Rules = SHIPPED,
        sets: Iterable[SetFile | str | os.PathLike[str]] = (),
        models: str | os.PathLike[str] | None = None,
        library: str | os.PathLike[str] | None = None,
    ) -> None:
        """Load the networks.

        `sets` are own sets or paths of their files. `models` is the folder of the networks and
        `library` ONNX Runtime's library; both are found without it.
        """
        path = Path(library) if library is not None else _find_library()
        own_sets = [one.text if isinstance(one, SetFile) else SetFile.open(one).text for one in sets]
        self._rules = rules
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        self._native = NativeReader(os.fspath(models or _MODELS), os.fspath(path), sha256, own_sets)

    def read(
        self,
        photo: Photo | list[PhotoFile] | tuple[PhotoFile, ...],
        *,
        rulesets: Iterable[str] | None = None,
        set: str | None = None,
        focus: tuple[int, int] | None = None,
        region: Sequence[tuple[int, int]] | None = None,
        lang: Lang | None = None,
        **context: Unpack[Context],
    ) -> Reading:
        """Read a photo, or several photos of one hand.

        `set` names the own set to read with, or is `auto` or `none`. `focus` is a point in the hand
        that is meant, and `region` the corners of a polygon around it, in pixels of the upright
        photo. Other keyword arguments are the fields of the win context.
        """
        scoring: dict[str, Any] = {"context": plain(context)}
        if rulesets is not None:
            scoring["rulesets"] = list(rulesets)
        options = dict(scoring)
        point = None if focus is None else dict(zip("xy", focus))
        given = {"set": set, "focus": point, "region": region}
        options.update({name: value for name, value in given.items() if value is not None})
        if isinstance(photo, (list, tuple)):
            files = [_file(one) for one in photo]
            options["photos"] = [len(file) for file in files]
            body = b"".join(files)
        else:
            pixels, body = _pixels_or_file(photo)
            if pixels is not None:
                options["pixels"] = pixels
        request = json.dumps(options).encode() + b"\n" + body
        answer = json.loads(self._native.request("read", self._rules.native, request, lang))
        return Reading(self._rules, answer, scoring)

    def merge(self, *sets: SetFile, name: str | None = None) -> SetFile:
        """Return a set that knows what the given sets know, learned of the same tiles."""
        files = [one.text.encode() for one in sets]
        options: dict[str, Any] = {"files": [len(file) for file in files]}
        if name is not None:
            options["name"] = name
        request = json.dumps(options).encode() + b"\n" + b"".join(files)
        return SetFile(self._native.request("merge", self._rules.native, request, None).decode())

    def learn(self, sheet: Photo, name: str, names: str | None = None) -> SetFile:
        """Learn an own set from a photo of all its tiles in rows.

        `names` has a line for each row, from the top; without it the names are those that the rows
        suggest.
        """
        pixels, body = _pixels_or_file(sheet)
        options = {"name": name, "names": names, "pixels": pixels}
        given = {key: value for key, value in options.items() if value is not None}
        request = json.dumps(given).encode() + b"\n" + body
        return SetFile(self._native.request("learn", self._rules.native, request, None).decode())


def _find_library() -> Path:
    """Return the library of the `onnxruntime` package, without importing it."""
    spec = importlib.util.find_spec("onnxruntime")
    folders = list(spec.submodule_search_locations or []) if spec else []
    patterns = {"win32": "onnxruntime.dll", "darwin": "libonnxruntime*.dylib"}
    pattern = patterns.get(sys.platform, "libonnxruntime.so*")
    for folder in folders:
        found = sorted(Path(folder, "capi").glob(pattern))
        if found:
            return found[0]
    raise ImportError("reading photos needs ONNX Runtime: pip install tilesight[photos]")


def _file(photo: Photo) -> bytes:
    if isinstance(photo, (bytes, bytearray, memoryview)):
        return bytes(photo)
    if isinstance(photo, (str, os.PathLike)):
        return Path(photo).read_bytes()
    if hasattr(photo, "read"):
        return _content(photo)
    expected = "a path, the bytes of a file, or a file that is open in binary mode"
    raise TypeError(f"a photo is {expected}, not {type(photo).__name__}; an image or an array is read alone")


def _content(file: Any) -> bytes:
    """Return the rest of an open file."""
    content: object = file.read()
    if not isinstance(content, (bytes, bytearray, memoryview)):
        raise TypeError('the file of a photo is open in text mode: open it with mode "rb"')
    return bytes(cast("bytes", content))


def _pixels_or_file(photo: Photo) -> tuple[tuple[int, int] | None, bytes]:
    """Return the size and RGBA bytes of pixels, or `None` and the bytes of a file."""
    if hasattr(photo, "convert") and hasattr(photo, "size"):
        upright = _turn_upright(photo)
        width, height = upright.size
        return (width, height), upright.convert("RGBA").tobytes()
    if hasattr(photo, "__array_interface__"):
        return _array(memoryview(cast(Any, photo)))
    return None, _file(photo)


def _turn_upright(image: Any) -> Any:
    """Return an image of Pillow as its EXIF orientation shows it."""
    return importlib.import_module("PIL.ImageOps").exif_transpose(image)


def _array(view: memoryview) -> tuple[tuple[int, int], bytes]:
    shape = view.shape or ()
    if len(shape) != 3 or view.format != "B" or shape[2] not in (3, 4):
        raise ValueError(f"an array needs the shape (height, width, 3 or 4) and uint8, not {shape} of {view.format!r}")
    height, width, channels = shape
    data = view.tobytes()
    if channels == 3:
        rgba = bytearray(b"\xff") * (height * width * 4)
        for channel in range(3):
            rgba[channel::4] = data[channel::3]
        data = bytes(rgba)
    return (width, height), data
