"""Scoring in the call style of the package `PyMahjongGB`.

Programs that use it need change one line: `from tilesight.mahjonggb import MahjongFanCalculator`.
"""

from ._native import mahjong_fan_calculator as MahjongFanCalculator

__all__ = ["MahjongFanCalculator"]
