"""Reads which modules of a crate import from which, for scripts/structure.py.

Input: the code of each module of a crate, by its path such as `routes::jobs`; the path of the
crate's root is empty. Output: imports, circles, and arrows up. A module and what is inside it are
one thing: imports between them do not count.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator

USE = re.compile(r"\buse\s+((?:crate|super|self)::[^;]+);")
PATH = re.compile(r"(?<![\w:$])((?:crate|super)(?:::\w+)+)")


def find_circles(modules: dict[str, str]) -> list[list[tuple[str, str]]]:
    """Returns the circles of modules that import from each other, each as its imports."""
    graph = read_graph(modules)
    return [
        [(a, b) for a in sorted(circle) for b in sorted(graph[a]) if b in circle]
        for circle in components(graph)
        if len(circle) > 1
    ]


def find_arrows_up(modules: dict[str, str]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Returns the arrows that go up between two modules side by side, each with its imports. The
    direction of the two is that of most imports between what is inside them; if there are imports
    in the other direction too, that is one arrow up."""
    between: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for module, targets in read_graph(modules).items():
        for target in targets:
            between[find_neighbours(module, target)].append((module, target))
    found = {}
    for (one, other), arrows in sorted(between.items()):
        back = between.get((other, one), [])
        if (len(arrows), one) < (len(back), other):
            found[one, other] = sorted(arrows)
    return found


def find_neighbours(module: str, other: str) -> tuple[str, str]:
    """Returns the modules side by side that two modules are in, or are."""
    ours, theirs = module.split("::"), other.split("::")
    shared = next(at for at, names in enumerate(zip(ours, theirs)) if names[0] != names[1])
    return "::".join(ours[: shared + 1]), "::".join(theirs[: shared + 1])


def read_graph(modules: dict[str, str]) -> dict[str, set[str]]:
    """Returns the modules that each module imports from."""
    exports = {module: reexports(module, code) for module, code in modules.items()}
    graph = {}
    for module, code in modules.items():
        targets = {resolve(path, modules, exports) for path in imports(module, code)}
        graph[module] = {target for target in targets if target is not None and not is_inside(module, target)}
    return graph


def is_inside(module: str, other: str) -> bool:
    """Tells whether one of two modules is inside the other, or is it."""
    paths = (f"crate::{module}::", f"crate::{other}::") if module and other else ("", "")
    return paths[0].startswith(paths[1]) or paths[1].startswith(paths[0])


def expand(tree: str, prefix: str = "") -> Iterator[str]:
    """Yields the paths of a use tree."""
    depth, part = 0, ""
    for character in tree + ",":
        depth += (character == "{") - (character == "}")
        if character == "," and depth == 0:
            part = part.strip()
            if part.endswith("}"):
                head, _, inside = part.partition("{")
                yield from expand(inside[:-1], prefix + head)
            elif part:
                yield prefix + part.split(" as ")[0].strip()
            part = ""
        else:
            part += character


def absolute(path: str, module: str) -> list[str]:
    parts, base = path.split("::"), module.split("::") if module else []
    if parts[0] == "crate":
        return parts[1:]
    if parts[0] == "self":
        return base + parts[1:]
    while parts and parts[0] == "super":
        base, parts = base[:-1], parts[1:]
    return base + parts


def imports(module: str, code: str) -> set[str]:
    code = strip_comments(code)
    paths = {path for tree in USE.findall(code) for path in expand(tree)} | set(PATH.findall(code))
    return {"::".join(absolute(re.sub(r"\s", "", path), module)) for path in paths}


def reexports(module: str, code: str) -> dict[str, str]:
    found = {}
    for tree in re.findall(r"pub(?:\([^)]*\))?\s+use\s+([^;]+);", strip_comments(code)):
        for path in expand(tree):
            parts = re.sub(r"\s", "", path).split("::")
            if parts[0] not in ("crate", "self", "super"):
                parts = ["self", *parts]
            found[parts[-1]] = "::".join(absolute("::".join(parts), module))
    return found


def resolve(path: str, modules: dict[str, str], exports: dict[str, dict[str, str]], depth: int = 0) -> str | None:
    parts = path.split("::")
    for length in range(len(parts), -1, -1):
        module = "::".join(parts[:length])
        if module in modules:
            name = parts[length] if length < len(parts) else ""
            target = exports[module].get(name)
            if target and depth < 6 and target != path:
                return resolve(target, modules, exports, depth + 1)
            return module
    return None


def components(graph: dict[str, set[str]]) -> list[list[str]]:
    """Returns the strongly connected components (Tarjan 1972)."""
    sys.setrecursionlimit(100_000)
    index, low, stack, found = {}, {}, [], []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            found.append(stack[at:])
            del stack[at:]

    for node in graph:
        if node not in index:
            visit(node)
    return found


def strip_comments(code: str) -> str:
    return re.sub(r"//[^\n]*", "", code)
