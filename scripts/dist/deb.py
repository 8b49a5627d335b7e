"""The Debian package.

Input: its tree, and the release. Output: the bytes of a `.deb`, which are an `ar` archive of two
tar archives, one about the package and one with its files. It is written here and not by dpkg-deb,
whose bytes depend on its version and its threads. The version of glibc that it depends on is read
from the program and from ONNX Runtime.
"""

from __future__ import annotations

import hashlib
import lzma
import re
from typing import TYPE_CHECKING

from dist.archives import Entry, tar

if TYPE_CHECKING:
    from dist.release import Release


ABOUT = """\
reads photos of mahjong hands and scores them
 Tilesight finds the tiles in a photo of a winning hand, rebuilds the hand and
 scores it: Mahjong Competition Rules, riichi, Hong Kong old style, Mahjong
 Masters Million and the classical game. It has a command, a service with a
 page for phones, and everything they need: networks and ONNX Runtime.
"""


def control(release: Release, tree: dict[str, Entry]) -> str:
    """The control file."""
    size = sum(-(-len(entry.data) // 1024) for entry in tree.values())
    fields = {
        "Package": "tilesight",
        "Version": release.version,
        "Architecture": release.debian,
        "Maintainer": "The Tilesight authors <maintainers@tilesight.invalid>",
        "Installed-Size": str(size),
        "Depends": f"libc6 (>= {newest_glibc(tree)}), libgcc-s1, libstdc++6",
        # The authorities whose certificates a service trusts when it sends webhooks.
        "Recommends": "ca-certificates",
        "Section": "games",
        "Priority": "optional",
        "Description": ABOUT.rstrip(),
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items())


def newest_glibc(tree: dict[str, Entry]) -> str:
    """The newest version of glibc whose symbols a program or library of the tree uses."""
    programs = [entry.data for path, entry in tree.items() if path.startswith(("usr/bin/", "usr/lib/"))]
    versions = {version.decode() for data in programs for version in re.findall(rb"\0GLIBC_(2\.[\d.]+)(?=\0)", data)}
    return max(versions, key=lambda version: [int(part) for part in version.split(".")])


def md5sums(tree: dict[str, Entry]) -> str:
    return "".join(f"{hashlib.md5(tree[path].data).hexdigest()}  {path}\n" for path in sorted(tree))


def pack(release: Release, tree: dict[str, Entry]) -> bytes:
    """The bytes of the package."""
    about = {"control": Entry(control(release, tree).encode()), "md5sums": Entry(md5sums(tree).encode())}
    members = {"debian-binary": b"2.0\n"}
    members |= {
        f"{name}.tar.xz": lzma.compress(tar(files, release.epoch, "."))
        for name, files in (("control", about), ("data", tree))
    }
    return b"!<arch>\n" + b"".join(member(name, data, release.epoch) for name, data in members.items())


def member(name: str, data: bytes, epoch: int) -> bytes:
    """A file of an `ar` archive: name, time, owner, group, mode and size, then its bytes, padded to
    an even number."""
    return f"{name:16}{epoch:<12}{0:<6}{0:<6}{'100644':8}{len(data):<10}`\n".encode() + data + b"\n" * (len(data) % 2)
