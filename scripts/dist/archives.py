"""Archives whose bytes depend on nothing but the files in them.

Input: a tree, which is a dictionary of paths and `Entry`s, and a time. Output: a `.tar.gz` or a
`.zip`. Entries are sorted, belong to root, have the given time and one of two modes; the compressed
stream has neither a name nor a time.
"""

from __future__ import annotations

import gzip
import io
import tarfile
import time
import zipfile
from dataclasses import dataclass

# What zip can express begins with 1980.
ZIP_BEGINS = 315532800


@dataclass(frozen=True)
class Entry:
    """The bytes of a file, and whether it is a program; or the file beside it that it is a link to,
    which zip can't express."""

    data: bytes
    is_program: bool = False
    link: str = ""

    @property
    def mode(self) -> int:
        return 0o755 if self.is_program else 0o644


def folders(tree: dict[str, Entry]) -> list[str]:
    """All folders of a tree, each after the one that it is in."""
    found = set()
    for path in tree:
        parts = path.split("/")[:-1]
        found |= {"/".join(parts[: count + 1]) for count in range(len(parts))}
    return sorted(found)


def tar_gz(tree: dict[str, Entry], epoch: int) -> bytes:
    """The bytes of a `.tar.gz`."""
    return gz(tar(tree, epoch))


def tar(tree: dict[str, Entry], epoch: int, root: str | None = None) -> bytes:
    """The bytes of a tar archive; `root` is a folder that its paths begin with."""
    plain = io.BytesIO()
    tree = {f"{root}/{path}": entry for path, entry in tree.items()} if root else tree
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for folder in folders(tree):
            archive.addfile(header(folder, epoch, 0o755, tarfile.DIRTYPE))
        for path in sorted(tree):
            entry = tree[path]
            info = header(path, epoch, entry.mode, tarfile.SYMTYPE if entry.link else tarfile.REGTYPE)
            info.size, info.linkname = len(entry.data), entry.link
            archive.addfile(info, io.BytesIO(entry.data))
    return plain.getvalue()


def header(path: str, epoch: int, mode: int, kind: bytes) -> tarfile.TarInfo:
    info = tarfile.TarInfo(path)
    info.mtime, info.mode, info.type = epoch, mode, kind
    info.uname = info.gname = "root"
    return info


def gz(data: bytes) -> bytes:
    """The bytes of a `.gz` without a name and a time."""
    return gzip.compress(data, compresslevel=9, mtime=0)


def zipped(tree: dict[str, Entry], epoch: int) -> bytes:
    """The bytes of a `.zip`, for systems whose users expect one."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(tree):
            info = zipfile.ZipInfo(path, time.gmtime(max(epoch, ZIP_BEGINS))[:6])
            info.create_system, info.compress_type = 3, zipfile.ZIP_DEFLATED
            info.external_attr = (0o100000 | tree[path].mode) << 16
            archive.writestr(info, tree[path].data)
    return out.getvalue()
