"""Builds and renders one scene in Blender Cycles, and measures its truth from the camera. Runs
under `bpy` only.

Input: a scene description (see cycles_scenes.py) on the command line as a JSON file. Output: a PNG
and a JSON file beside it with the image polygon and the visible fraction of every tile's upper
face.
Invariant: the polygon comes from the same matrices that the renderer uses, never from looking at
the picture.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Matrix, Vector

sys.path.insert(0, str(Path(__file__).resolve().parent))
import cycles_materials as materials

if TYPE_CHECKING:
    pass


if TYPE_CHECKING:
    pass


HEIGHT = 1.34
BEVEL = 0.07
# The outline of a rounded top face that the eye follows runs a third of the way into its rounding.
INSET = BEVEL * 0.33
# Visibility is sampled on a grid of rays over each face: 9 x 12 tells 1 % of occlusion from none.
GRID = (9, 12)


def render(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """Renders `spec` and returns the truth of its tiles."""
    _clear()
    scene = bpy.context.scene
    tiles = [_tile(spec, placed) for placed in spec["tiles"]]
    _table(spec)
    _clutter(spec)
    _light(spec)
    camera = _camera(spec, [t for t, p in zip(tiles, spec["tiles"]) if p["role"] != "ignored"])
    _settings(scene, spec)
    bpy.context.view_layer.update()
    truth = [_truth(scene, camera, tile, placed, spec) for tile, placed in zip(tiles, spec["tiles"])]
    scene.render.filepath = spec["png"]
    bpy.ops.render.render(write_still=True)
    return truth


def _clear() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)


def _tile(spec: dict[str, Any], placed: dict[str, Any]):
    """A tile body with its print: one mesh per face, shared by its copies."""
    depth = spec["look"]["depth"]
    name = placed["tile"] if placed["face_up"] else "back"
    mesh = bpy.data.meshes.get(f"tile {placed['tile']}") or _tile_mesh(spec, placed["tile"])
    body = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(body)
    bevel = body.modifiers.new("edges", "BEVEL")
    bevel.width, bevel.segments, bevel.limit_method, bevel.angle_limit = BEVEL, 4, "ANGLE", math.radians(40)
    for face in mesh.polygons:
        face.use_smooth = True
    body.matrix_world = _pose(placed, depth)
    return body


def _pose(placed: dict[str, Any], depth: float):
    """World matrix: lying face up, lying on its face, or standing with the face towards its
    player."""
    turn = Matrix.Rotation(math.radians(placed["angle"]), 4, "Z")
    lift = placed.get("lift", 0.0)
    if placed["standing"]:
        # A slight lean back is what a rack does; the foot then lifts by less than the rounding.
        tilt = Matrix.Rotation(math.radians(78), 4, "X")
        if abs(placed["angle"]) > 90:
            tilt = tilt @ Matrix.Rotation(math.pi, 4, "Z")
            turn = Matrix.Rotation(math.radians(placed["angle"] - 180), 4, "Z")
        where = Vector((placed["x"], placed["y"], HEIGHT / 2 + 0.06 + lift))
        return (
            Matrix.Translation(where) @ Matrix.Rotation(math.radians(placed.get("facing", 0.0)), 4, "Z") @ turn @ tilt
        )
    flip = Matrix.Identity(4) if placed["face_up"] else Matrix.Rotation(math.pi, 4, "Y")
    where = Vector((placed["x"], placed["y"], depth / 2 + placed["level"] * depth + lift))
    return Matrix.Translation(where) @ turn @ flip


def _tile_mesh(spec: dict[str, Any], name: str):
    """A box with one loop of edges where the two plastics meet; its upper part carries the
    print."""
    depth, split = spec["look"]["depth"], spec["look"]["split"]
    levels = [-depth / 2, -depth / 2 + depth * split, depth / 2]
    corners = [(-0.5, -HEIGHT / 2), (0.5, -HEIGHT / 2), (0.5, HEIGHT / 2), (-0.5, HEIGHT / 2)]
    points = [(x, y, z) for z in levels for x, y in corners]
    faces = [(3, 2, 1, 0), (8, 9, 10, 11)]
    for ring in (0, 4):
        faces += [(ring + k, ring + (k + 1) % 4, ring + 4 + (k + 1) % 4, ring + 4 + k) for k in range(4)]
    mesh = bpy.data.meshes.new(f"tile {name}")
    mesh.from_pydata(points, [], faces)
    mesh.materials.append(materials.plastic("back", spec["look"]["back"], spec["look"]))
    mesh.materials.append(materials.printed(name, f"{spec['faces']}/{name}.png", spec["look"], HEIGHT))
    for index, face in enumerate(mesh.polygons):
        face.material_index = 1 if index == 1 or index >= 6 else 0
    return mesh


def _table(spec: dict[str, Any]) -> None:
    if "board" in spec["table"]:
        _board(spec["table"])
        return
    bpy.ops.mesh.primitive_plane_add(size=120)
    bpy.context.object.data.materials.append(materials.table(spec["table"]))
    rim = spec["table"].get("rim")
    if rim:
        bpy.ops.mesh.primitive_cube_add(size=1, location=(8, rim["y"] - 2, 0.2), scale=(90, 4, 1.1))
        bpy.context.object.data.materials.append(materials.table(rim))


def _board(table: dict[str, Any]) -> None:
    """A square table with its rails, the player's edge at y = 0, and the floor below."""
    board = table["board"]
    size, rail, height = board["size"], board["rail"], board["height"]
    bpy.ops.mesh.primitive_plane_add(size=1, location=(0, size / 2, 0), scale=(size, size, 1))
    bpy.ops.object.transform_apply(scale=True)
    bpy.context.object.data.materials.append(materials.table(table))
    frame = materials.table(board["surface"], "rail")
    out = size / 2 + rail / 2
    for x, y, w, d in (
        (0, -rail / 2, size + 2 * rail, rail),
        (0, size + rail / 2, size + 2 * rail, rail),
        (-out, size / 2, rail, size),
        (out, size / 2, rail, size),
    ):
        bpy.ops.mesh.primitive_cube_add(size=1, location=(x, y, height / 2 - 0.6), scale=(w, d, height + 1.2))
        bpy.ops.object.transform_apply(scale=True)
        _round_off(bpy.context.object, 0.12)
        bpy.context.object.data.materials.append(frame)
    bpy.ops.mesh.primitive_plane_add(size=600, location=(0, size / 2, table["floor"]["z"]))
    bpy.context.object.data.materials.append(materials.table(table["floor"], "floor"))


def _round_off(body: Any, width: float) -> None:
    edges = body.modifiers.new("edges", "BEVEL")
    edges.width, edges.segments = width, 3


def _clutter(spec: dict[str, Any]) -> None:
    """Dice, chips, a cup, a phone: the things that lie about, in simple shapes."""
    for thing in spec["clutter"]:
        where = (thing["x"], thing["y"], thing["h"] / 2 + thing.get("z", 0.0))
        if thing["shape"] == "cylinder":
            bpy.ops.mesh.primitive_cylinder_add(radius=thing["w"] / 2, depth=thing["h"], location=where, vertices=48)
        else:
            bpy.ops.mesh.primitive_cube_add(size=1, location=where, scale=(thing["w"], thing["d"], thing["h"]))
        body = bpy.context.object
        body.rotation_euler[2] = math.radians(thing["angle"])
        _round_off(body, min(0.06, thing["h"] / 3))
        if thing.get("picture"):
            picture = f"{spec['faces']}/{thing['picture']}.png"
            body.data.materials.append(materials.labelled(thing["name"], thing["colour"], picture, spec["look"]))
            continue
        body.data.materials.append(materials.plastic(thing["name"], thing["colour"], spec["look"]))


def _light(spec: dict[str, Any]) -> None:
    """A studio or room from Blender's own pictures of the sky, and perhaps a lamp with a hard or
    soft edge."""
    light = spec["light"]
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    sky, spin, where = (
        nodes.new(kind) for kind in ("ShaderNodeTexEnvironment", "ShaderNodeMapping", "ShaderNodeTexCoord")
    )
    root = Path(bpy.utils.resource_path("LOCAL")) / "datafiles" / "studiolights" / "world"
    sky.image = bpy.data.images.load(str(root / f"{light['room']}.exr"))
    spin.inputs["Rotation"].default_value[2] = light["spin"]
    links.new(where.outputs["Generated"], spin.inputs["Vector"])
    links.new(spin.outputs["Vector"], sky.inputs["Vector"])
    links.new(sky.outputs["Color"], nodes["Background"].inputs["Color"])
    nodes["Background"].inputs["Strength"].default_value = light["strength"]
    if light.get("lamp"):
        lamp = light["lamp"]
        data = bpy.data.lights.new("lamp", "AREA")
        data.energy, data.size, data.color = lamp["power"], lamp["size"], lamp["colour"]
        body = bpy.data.objects.new("lamp", data)
        body.location = lamp["place"]
        aim = Vector(lamp.get("aim", (7, 1, 0))) - Vector(lamp["place"])
        body.rotation_euler = aim.to_track_quat("-Z", "Y").to_euler()
        bpy.context.collection.objects.link(body)


def _camera(spec: dict[str, Any], hand: Any):
    """Aims at the hand and steps back until every tile of it is inside the picture with the wanted
    margin."""
    view = spec["camera"]
    data = bpy.data.cameras.new("phone")
    camera = bpy.data.objects.new("phone", data)
    bpy.context.collection.objects.link(camera)
    scene = bpy.context.scene
    scene.camera = camera
    scene.render.resolution_x, scene.render.resolution_y = spec["size"]
    sx, sy = spec["size"]
    data.sensor_fit, data.angle = "AUTO", math.radians(view["field"])
    corners = [body.matrix_world @ Vector(corner) for body in hand for corner in body.bound_box]
    corners += [Vector(point) for point in view.get("frame", [])]
    middle = _middle(corners) if view.get("frame") else sum(corners, Vector()) / len(corners)
    rise, around = math.radians(view["rise"]), math.radians(view["around"])
    out = Vector((math.sin(around) * math.cos(rise), -math.cos(around) * math.cos(rise), math.sin(rise)))
    # Rolling about the line of sight is what turns a photo; at 90 degrees overhead "up" would be
    # undefined.
    look = (-out).to_track_quat("-Z", "Y").to_matrix().to_4x4()
    if view["rise"] > 89.5:
        look = Matrix.Rotation(around, 4, "Z")
    far = 8.0
    for _ in range(60):
        camera.matrix_world = (
            Matrix.Translation(middle + out * far) @ look @ Matrix.Rotation(math.radians(view["roll"]), 4, "Z")
        )
        bpy.context.view_layer.update()
        seen = [world_to_camera_view(scene, camera, corner) for corner in corners]
        if "frame" in view and min(p.z for p in seen) > 0.5:
            # What is nearer shows larger: the middle of what is seen, not of what is there, belongs
            # in the picture's middle.
            aside, up = ((min(p[axis] for p in seen) + max(p[axis] for p in seen)) / 2 - 0.5 for axis in (0, 1))
            across = 2 * far * math.tan(data.angle / 2)
            turned = camera.matrix_world.to_3x3()
            middle = (
                middle + turned @ Vector((aside * across * sx / max(sx, sy), up * across * sy / max(sx, sy), 0)) * 0.7
            )
        worst = max(max(abs(p.x - 0.5), abs(p.y - 0.5)) * 2 for p in seen)
        if min(p.z for p in seen) > 0.5 and abs(worst - view["fill"]) < 0.01:
            break
        far *= min(1.5, max(0.7, worst / view["fill"])) if min(p.z for p in seen) > 0.5 else 1.5
    if view.get("aperture"):
        data.dof.use_dof = True
        data.dof.focus_distance, data.dof.aperture_fstop = far, view["aperture"]
    return camera


def _middle(points: Any):
    """Of the box around points."""
    return Vector([(min(p[axis] for p in points) + max(p[axis] for p in points)) / 2 for axis in range(3)])


def _settings(scene: Any, spec: dict[str, Any]) -> None:
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = spec["samples"]
    scene.cycles.use_adaptive_sampling = False
    scene.cycles.use_denoising = True
    scene.cycles.denoiser = "OPENIMAGEDENOISE"
    scene.cycles.denoising_quality, scene.cycles.denoising_prefilter = "BALANCED", "FAST"
    scene.cycles.seed = spec["seed"] % 2**31
    scene.cycles.max_bounces = 6
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.image_settings.file_format = "PNG"
    scene.view_settings.view_transform = "Standard"
    scene.view_settings.exposure = spec["light"]["exposure"]


def _truth(scene: Any, camera: Any, body: Any, placed: dict[str, Any], spec: dict[str, Any]) -> dict[str, Any]:
    """Polygon (clockwise on screen, from the face's own top left) and visible fraction of the upper
    or player's face."""
    depth = spec["look"]["depth"]
    side = 1 if placed["face_up"] else -1
    width, height = 0.5 - INSET, HEIGHT / 2 - INSET
    z = side * (depth / 2 - INSET * 0.5)
    # Seen from outside, a face that looks down its own z axis has its left and right changed over.
    outline = [(-width * side, height), (width * side, height), (width * side, -height), (-width * side, -height)]
    sx, sy = spec["size"]
    polygon = []
    for x, y in outline:
        seen = world_to_camera_view(scene, camera, body.matrix_world @ Vector((x, y, z)))
        polygon.append([round(seen.x * sx, 2), round((1 - seen.y) * sy, 2)])
    return {"polygon": polygon, "visible": round(_visible(scene, camera, body, (width, height, side, depth)), 3)}


def _visible(scene: Any, camera: Any, body: Any, extent: Any) -> float:
    width, height, side, depth = extent
    eye = camera.matrix_world.translation
    graph = bpy.context.evaluated_depsgraph_get()
    hits = 0
    for row in range(GRID[1]):
        for column in range(GRID[0]):
            x = ((column + 0.5) / GRID[0] * 2 - 1) * width * 0.96
            y = ((row + 0.5) / GRID[1] * 2 - 1) * height * 0.96
            point = body.matrix_world @ Vector((x, y, side * depth / 2))
            seen = world_to_camera_view(scene, camera, point)
            if not (0 <= seen.x <= 1 and 0 <= seen.y <= 1):
                continue
            found, where, _, _, thing, _ = scene.ray_cast(graph, eye, (point - eye).normalized())
            if found and thing.name == body.name and (where - point).length < 0.1:
                hits += 1
    return hits / (GRID[0] * GRID[1])


def main() -> None:
    """Renders each scene description named on the command line."""
    for name in sys.argv[1:]:
        spec = json.loads(Path(name).read_text())
        truth = render(spec)
        Path(spec["truth"]).write_text(json.dumps(truth))


if __name__ == "__main__":
    main()
