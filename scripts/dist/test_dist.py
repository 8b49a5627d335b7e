"""Tests of the parts that pack a release, on trees and lists that are made up: archives, Debian's
files, licences, and the bill of materials."""

from __future__ import annotations

import gzip
import io
import json
import stat
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from dist import __main__ as command
from dist import archives, check, components, deb, licences, sbom, tree
from dist.archives import Entry
from dist.components import Component
from dist.release import Release

RELEASE = Release("1.2.3", "x86_64-unknown-linux-gnu", 1_795_000_000, "abc")
TREE = {"b/program": Entry(b"run", True), "b/a": Entry(b"text"), "z": Entry(b"")}
CRATES = """\
tilesight v1.2.3 (/somewhere/else)
serde v1.0.0
serde v1.0.0 (*)
"""
LOCK = """\
[[package]]
name = "serde"
version = "1.0.0"
source = "registry"
checksum = "aa"

[[package]]
name = "tilesight"
version = "1.2.3"
"""


def library(
    name: str,
    version: str = "1.0.0",
    licence: str = "MIT",
    files: tuple[Path, ...] = (),
    **more: tuple[str | tuple[str, str], ...],
) -> Component:
    return Component("library", name, version, licence, f"pkg:cargo/{name}@{version}", files=files, **more)


class Releases(unittest.TestCase):
    def test_each_platform_has_its_names(self) -> None:
        names = {
            "x86_64-unknown-linux-gnu": ("linux-x86_64", "amd64", "tilesight"),
            "aarch64-unknown-linux-gnu": ("linux-aarch64", "arm64", "tilesight"),
            "aarch64-apple-darwin": ("macos-aarch64", None, "tilesight"),
            "x86_64-pc-windows-msvc": ("windows-x86_64", None, "tilesight.exe"),
        }
        for target, expected in names.items():
            release = Release("1.2.3", target, 0, "")
            self.assertEqual((release.platform, release.debian, release.program), expected)

    def test_all_platforms_have_a_pinned_runtime(self) -> None:
        pins = json.loads((tree.ROOT / "scripts" / "onnxruntime.json").read_text())["platforms"]
        self.assertEqual(set(pins), {"linux-x86_64", "linux-aarch64", "macos-aarch64", "windows-x86_64"})


class Archives(unittest.TestCase):
    def test_a_tarball_has_sorted_entries_of_root_at_one_time(self) -> None:
        with tarfile.open(fileobj=io.BytesIO(archives.tar_gz(TREE, RELEASE.epoch))) as archive:
            entries = archive.getmembers()
        self.assertEqual(
            [(entry.name, entry.mode) for entry in entries],
            [("b", 0o755), ("b/a", 0o644), ("b/program", 0o755), ("z", 0o644)],
        )
        self.assertEqual(
            {(entry.uid, entry.gid, entry.uname, entry.mtime) for entry in entries}, {(0, 0, "root", RELEASE.epoch)}
        )

    def test_bytes_depend_on_the_files_alone(self) -> None:
        backwards = dict(reversed(TREE.items()))
        for pack in (archives.tar_gz, archives.zipped):
            self.assertEqual(pack(TREE, RELEASE.epoch), pack(backwards, RELEASE.epoch))
            self.assertNotEqual(pack(TREE, RELEASE.epoch), pack({**TREE, "z": Entry(b"1")}, RELEASE.epoch))

    def test_a_stream_has_no_name_and_no_time(self) -> None:
        header = archives.gz(b"text")[:10]
        self.assertEqual((header[3], header[4:8]), (0, bytes(4)))
        self.assertEqual(gzip.decompress(archives.gz(b"text")), b"text")

    def test_a_zip_keeps_what_is_a_program(self) -> None:
        # Before 1980 there was no zip.
        with zipfile.ZipFile(io.BytesIO(archives.zipped(TREE, 0))) as archive:
            modes = {entry.filename: stat.S_IMODE(entry.external_attr >> 16) for entry in archive.infolist()}
        self.assertEqual(modes, {"b/a": 0o644, "b/program": 0o755, "z": 0o644})


class Trees(unittest.TestCase):
    def setUp(self) -> None:
        scripts = {tree.COMPLETIONS[shell][0]: Entry(shell.encode()) for shell in tree.COMPLETIONS}
        patch = mock.patch.object(tree, "completions", return_value=scripts)
        patch.start()
        self.addCleanup(patch.stop)
        self.files = {
            "bin/tilesight": Entry(b"\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_2.17\0", True),
            "share/man/man1/tilesight.1": Entry(b"page"),
        }
        self.files |= {
            "share/doc/tilesight/licences.txt": Entry(b"terms"),
            "share/doc/tilesight/CHANGELOG.md": Entry(b"new"),
        }

    def test_a_debian_package_has_the_files_of_its_policy(self) -> None:
        files = tree.debian(self.files, None)
        for path in (
            "usr/bin/tilesight",
            "usr/share/man/man1/tilesight.1.gz",
            "usr/share/doc/tilesight/copyright",
            "usr/share/doc/tilesight/changelog.gz",
            "usr/share/zsh/vendor-completions/_tilesight",
        ):
            self.assertIn(path, files)
        self.assertEqual(gzip.decompress(files["usr/share/man/man1/tilesight.1.gz"].data), b"page")

    def test_a_tarball_has_one_folder(self) -> None:
        files = tree.portable(RELEASE, self.files, None)
        self.assertEqual({path.split("/")[0] for path in files}, {"tilesight-1.2.3-linux-x86_64"})
        self.assertIn("tilesight-1.2.3-linux-x86_64/INSTALL.md", files)

    def test_the_c_library_has_its_links_and_no_static_library(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            lib = Path(folder) / "lib"
            lib.mkdir()
            for name in ("libtilesight.a", "libtilesight.so.1"):
                (lib / name).write_bytes(b"code")
            (lib / "libtilesight.so").symlink_to("libtilesight.so.1")
            files = tree.c_library(RELEASE, Path(folder), "terms")
        with tarfile.open(fileobj=io.BytesIO(archives.tar_gz(files, RELEASE.epoch))) as archive:
            entries = {
                entry.name.removeprefix("tilesight-c-1.2.3-linux-x86_64/"): entry
                for entry in archive.getmembers()
                if not entry.isdir()
            }
        self.assertEqual(set(entries), {"lib/libtilesight.so", "lib/libtilesight.so.1", "share/tilesight/licences.txt"})
        self.assertEqual(
            (entries["lib/libtilesight.so"].issym(), entries["lib/libtilesight.so"].linkname),
            (True, "libtilesight.so.1"),
        )

    def test_control_names_the_libraries_that_are_needed(self) -> None:
        files = tree.debian(self.files, None)
        control = deb.control(RELEASE, files)
        self.assertIn("Depends: libc6 (>= 2.34), libgcc-s1, libstdc++6\n", control)
        self.assertIn("Architecture: amd64\n", control)
        # Each line of the description belongs to it.
        about = control.partition("Description: ")[2].splitlines()
        self.assertTrue(all(line.startswith(" ") and len(line) < 80 for line in about[1:]), about)
        self.assertIn("  usr/bin/tilesight\n", deb.md5sums(files))

    def test_the_package_is_an_archive_of_two_archives(self) -> None:
        package = deb.pack(RELEASE, tree.debian(self.files, None))
        self.assertEqual(package, deb.pack(RELEASE, tree.debian(dict(reversed(self.files.items())), None)))
        members, rest = {}, package.removeprefix(b"!<arch>\n")
        while rest:
            name, time, owner, size = (
                rest[start:end].decode().strip() for start, end in ((0, 16), (16, 28), (28, 34), (48, 58))
            )
            self.assertEqual((time, owner, rest[58:60]), (str(RELEASE.epoch), "0", b"`\n"))
            members[name] = rest[60:][: int(size)]
            rest = rest[60 + int(size) + int(size) % 2 :]
        self.assertEqual(
            (list(members), members["debian-binary"]), (["debian-binary", "control.tar.xz", "data.tar.xz"], b"2.0\n")
        )
        with tarfile.open(fileobj=io.BytesIO(members["data.tar.xz"])) as archive:
            names = archive.getnames()
        self.assertEqual(names[:2], [".", "./usr"])
        self.assertIn("./usr/bin/tilesight", names)


class Components(unittest.TestCase):
    def test_crates_are_read_from_the_tree_and_their_sums_from_the_lock(self) -> None:
        self.assertEqual(components.crates_of(CRATES), {("tilesight", "1.2.3"), ("serde", "1.0.0")})
        self.assertEqual(components.checksums(LOCK), {("serde", "1.0.0"): "aa"})

    def test_files_with_terms_are_found(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            terms = [
                "COPYING",
                "LICENSE",
                "LICENSE-MIT",
                "Licence.md",
                "ThirdPartyNotices.txt",
                "OFL.txt",
                "UNLICENSE",
                "LICENSES/MIT.txt",
            ]
            others = ["README.md", "license.rs", "src/LICENSE"]
            for name in [*terms, *others]:
                file = Path(folder) / name
                file.parent.mkdir(exist_ok=True)
                file.write_text(name)
            found = [str(file.relative_to(folder)) for file in components.terms_in(Path(folder))]
            self.assertEqual(sorted(found), sorted(terms))

    def test_hashes_and_expressions_are_those_of_the_standards(self) -> None:
        self.assertEqual(components.integrity("sha512-/w=="), ("SHA-512", "ff"))
        self.assertEqual(components.spdx("MIT/Apache-2.0"), "MIT OR Apache-2.0")

    def test_a_text_is_there_once_with_all_that_it_is_for(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / name for name in ("one", "two")]
            files[0].write_text("Terms  of\nuse")
            files[1].write_text("Terms of use\n")
            parts = [library("a", files=(files[0],)), library("b", files=(files[1],)), library("c", authors=("Kim",))]
            text = licences.collect(parts, {"MIT": "The MIT text"})
        self.assertEqual(text.count("Terms"), 1)
        self.assertIn("\na 1.0.0\nb 1.0.0\n", text)
        self.assertIn("The MIT text\n\nc: copyright Kim", text)

    def test_a_licence_without_a_text_is_an_error(self) -> None:
        with self.assertRaisesRegex(SystemExit, "c 1.0.0 has no licence file"):
            licences.collect([library("c", licence="ISC")], {"MIT": "text"})


class Materials(unittest.TestCase):
    def setUp(self) -> None:
        parts = [
            library("b", hashes=(("SHA-256", "0" * 64),), parts=("program", "wheel")),
            library("a"),
            Component("data", "font", "1", "OFL-1.1"),
        ]
        self.text = sbom.document(RELEASE, parts, {"pkg:cargo/a@1.0.0": ["pkg:cargo/b@1.0.0"]})
        self.bom = json.loads(self.text)

    def test_the_document_is_whole_and_follows_from_the_release(self) -> None:
        self.assertEqual(sbom.problems(self.bom), [])
        self.assertEqual([one["name"] for one in self.bom["components"]], ["font", "a", "b"])
        self.assertEqual(self.bom["metadata"]["timestamp"], "2026-11-18T11:06:40Z")
        self.assertEqual(sbom.origin(self.bom), {"commit": RELEASE.commit, "epoch": RELEASE.epoch})
        self.assertEqual([part["value"] for part in self.bom["components"][2]["properties"]], ["program", "wheel"])

    def test_faults_are_found(self) -> None:
        one = self.bom["components"][1]
        one |= {
            "version": "",
            "type": "thing",
            "hashes": [{"alg": "SHA-256", "content": "00"}],
            "licenses": [{"expression": "MIT/Apache-2.0"}],
        }
        self.bom["dependencies"].append({"ref": "nowhere", "dependsOn": []})
        self.bom["serialNumber"] = "1"
        faults = "\n".join(sbom.problems(self.bom))
        for part in (
            "no version",
            "no type thing",
            "SHA-256 has another length",
            "not an SPDX expression",
            "nowhere is not",
            "not a UUID",
        ):
            self.assertIn(part, faults)

    def test_crates_show_in_a_program_by_their_sources(self) -> None:
        program = (
            b"\0/cargo/registry/src/index-1f2e/tokio-util-0.7.1/src/a.rs\0/cargo/registry/src/i/h2-1.0.0-rc.1/b.rs"
        )
        self.assertEqual(check.SOURCE.findall(program), [(b"tokio-util", b"0.7.1"), (b"h2", b"1.0.0-rc.1")])


class Sums(unittest.TestCase):
    def test_folders_are_compared_by_their_sums(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            left, right = (Path(folder) / name for name in ("left", "right"))
            for place in (left, right):
                place.mkdir()
                (place / "a").write_text("same")
                (place / "SHA256SUMS").write_text(str(place))
            with mock.patch("builtins.print"):
                self.assertTrue(command.compare(left, right))
                (right / "b").write_text("more")
                self.assertFalse(command.compare(left, right))
            self.assertRegex(command.sums(left), "^[0-9a-f]{64}  a\n$")
            (right / "a").write_text("another")
            command.merge(Path(folder) / "out", [left, right])
            self.assertEqual((Path(folder) / "out" / "a").read_text(), "same")
            self.assertEqual((Path(folder) / "out" / "SHA256SUMS").read_text(), command.sums(Path(folder) / "out"))
            self.assertEqual(command.sums(Path(folder) / "out").count("\n"), 2)


if __name__ == "__main__":
    unittest.main()
