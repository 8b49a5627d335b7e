"""Materials for the near-photographic scenes: tile plastics, printed faces, cloths, woods. Runs
under `bpy` only.

Input: colours and numbers from a scene description. Output: Blender materials, one for each name.
Invariant: everything is procedural or drawn by this project; no picture from elsewhere is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

if TYPE_CHECKING:
    import numpy as np


def _new(name: str) -> tuple[Any, Any, Any, Any]:
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    tree = material.node_tree
    return material, tree.nodes, tree.links, tree.nodes["Principled BSDF"]


def plastic(name: str, colour: np.ndarray, look: dict[str, Any]):
    """Plain plastic; `colour` is linear RGB."""
    known = bpy.data.materials.get(name)
    if known:
        return known
    material, _, _, surface = _new(name)
    surface.inputs["Base Color"].default_value = (*colour, 1)
    surface.inputs["Roughness"].default_value = look["rough"]
    surface.inputs["Coat Weight"].default_value = look["coat"]
    return material


def printed(name: str, picture: str, look: dict[str, Any], height: float):
    """Body plastic with the face's print laid over it from above; ink lies a little below the
    surface."""
    material, nodes, links, surface = _new(f"face {name}")
    where, fit, image, mix, bump = (
        nodes.new(kind)
        for kind in ("ShaderNodeTexCoord", "ShaderNodeMapping", "ShaderNodeTexImage", "ShaderNodeMix", "ShaderNodeBump")
    )
    image.image = bpy.data.images.load(picture)
    image.extension = "CLIP"
    # Texture space runs 0..1 over the face; `inset` keeps the print off the rounding, so that no
    # side is printed.
    scale = 1 / look["inset"]
    fit.inputs["Scale"].default_value = (scale, scale / height, 1)
    fit.inputs["Location"].default_value = (0.5, 0.5, 0)
    links.new(where.outputs["Object"], fit.inputs["Vector"])
    links.new(fit.outputs["Vector"], image.inputs["Vector"])
    mix.data_type = "RGBA"
    mix.inputs["A"].default_value = (*look["body"], 1)
    links.new(image.outputs["Color"], mix.inputs["B"])
    links.new(image.outputs["Alpha"], mix.inputs["Factor"])
    links.new(mix.outputs["Result"], surface.inputs["Base Color"])
    bump.invert = True
    bump.inputs["Strength"].default_value = look["engrave"]
    bump.inputs["Distance"].default_value = 0.03
    links.new(image.outputs["Alpha"], bump.inputs["Height"])
    links.new(bump.outputs["Normal"], surface.inputs["Normal"])
    surface.inputs["Roughness"].default_value = look["rough"]
    surface.inputs["Coat Weight"].default_value = look["coat"]
    return material


def labelled(name: str, colour: np.ndarray, picture: str, look: dict[str, Any]):
    """Plain plastic with a picture over the whole upper side of a box."""
    material, nodes, links, surface = _new(name)
    where, image, mix = (nodes.new(kind) for kind in ("ShaderNodeTexCoord", "ShaderNodeTexImage", "ShaderNodeMix"))
    upper, turned, share = (nodes.new(kind) for kind in ("ShaderNodeSeparateXYZ", "ShaderNodeMath", "ShaderNodeMath"))
    image.image = bpy.data.images.load(picture)
    image.extension = "CLIP"
    mix.data_type = "RGBA"
    mix.inputs["A"].default_value = (*colour, 1)
    # Generated coordinates run 0..1 over a box; its sides would show the picture's streaks but for
    # their normals.
    links.new(where.outputs["Generated"], image.inputs["Vector"])
    links.new(where.outputs["Normal"], upper.inputs["Vector"])
    turned.operation, turned.inputs[1].default_value = "GREATER_THAN", 0.7
    links.new(upper.outputs["Z"], turned.inputs[0])
    share.operation = "MULTIPLY"
    links.new(image.outputs["Alpha"], share.inputs[0])
    links.new(turned.outputs["Value"], share.inputs[1])
    links.new(image.outputs["Color"], mix.inputs["B"])
    links.new(share.outputs["Value"], mix.inputs["Factor"])
    links.new(mix.outputs["Result"], surface.inputs["Base Color"])
    surface.inputs["Roughness"].default_value = look["rough"]
    return material


def table(facts: dict[str, Any], name: str = "table"):
    """A table top, a rail or a floor: `kind` is felt, wood, weave or plain."""
    material, nodes, links, surface = _new(f"{facts['kind']} {name}")
    surface.inputs["Roughness"].default_value = facts["rough"]
    where, fit, ramp = (nodes.new(kind) for kind in ("ShaderNodeTexCoord", "ShaderNodeMapping", "ShaderNodeValToRGB"))
    links.new(where.outputs["Object"], fit.inputs["Vector"])
    fit.inputs["Rotation"].default_value[2] = facts["turn"]
    pattern, value = _PATTERNS[facts["kind"]](nodes, links, fit, facts)
    ramp.color_ramp.elements[0].color = (*facts["dark"], 1)
    ramp.color_ramp.elements[1].color = (*facts["light"], 1)
    links.new(pattern.outputs[value], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], surface.inputs["Base Color"])
    _roughen(nodes, links, pattern, value, surface, facts)
    return material


def _roughen(nodes: Any, links: Any, pattern: Any, value: Any, surface: Any, facts: dict[str, Any]) -> None:
    bump = nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = facts["bump"]
    bump.inputs["Distance"].default_value = 0.04
    links.new(pattern.outputs[value], bump.inputs["Height"])
    links.new(bump.outputs["Normal"], surface.inputs["Normal"])


def _felt(nodes: Any, links: Any, fit: Any, facts: dict[str, Any]):
    noise = nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = facts["scale"]
    noise.inputs["Detail"].default_value = 8
    links.new(fit.outputs["Vector"], noise.inputs["Vector"])
    return noise, "Fac"


def _wood(nodes: Any, links: Any, fit: Any, facts: dict[str, Any]):
    wave = nodes.new("ShaderNodeTexWave")
    wave.inputs["Scale"].default_value = facts["scale"] * 0.02
    wave.inputs["Distortion"].default_value = 7
    wave.inputs["Detail"].default_value = 6
    wave.inputs["Detail Scale"].default_value = 1.5
    fit.inputs["Scale"].default_value = (0.12, 1, 1)
    links.new(fit.outputs["Vector"], wave.inputs["Vector"])
    return wave, "Fac"


def _weave(nodes: Any, links: Any, fit: Any, facts: dict[str, Any]):
    check = nodes.new("ShaderNodeTexMagic")
    check.inputs["Scale"].default_value = facts["scale"] * 0.6
    check.inputs["Distortion"].default_value = 1.2
    links.new(fit.outputs["Vector"], check.inputs["Vector"])
    return check, "Fac"


_PATTERNS = {"felt": _felt, "wood": _wood, "weave": _weave, "plain": _felt}
