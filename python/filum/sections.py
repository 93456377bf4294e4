"""Materials and cross-sections of beams."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from . import _core


@dataclass(frozen=True)
class Material:
    """Linear elastic and isotropic.

    E: Young's modulus, force per area. nu: Poisson's ratio, above -1 and not above 0.5. rho: density, mass per volume.

    >>> Material(E=3e9, nu=0.35, rho=1200).nu
    0.35
    """

    E: float
    nu: float
    rho: float

    def _table_(self) -> dict[str, float]:
        return asdict(self)


steel, aluminium, nylon, rubber = (Material(**_core.materials[name]) for name in ("steel", "aluminium", "nylon", "rubber"))


def _section(shape: str, material: Material, shear_correction: float | None, **sizes: float) -> dict[str, Any]:
    if not isinstance(material, Material):
        raise TypeError(f"material: expected a filum.Material such as filum.steel, found {material!r}")
    return dict(shape=shape, shear_correction=shear_correction, **sizes, **material._table_())


def circle(radius: float, material: Material, shear_correction: float | None = None) -> dict[str, Any]:
    """A solid round section. radius: length. shear_correction: default Cowper's value.

    >>> circle(radius=2e-3, material=steel)["shape"]
    'circle'
    """
    return _section("circle", material, shear_correction, radius=radius)


def ring(radius: float, inner_radius: float, material: Material, shear_correction: float | None = None) -> dict[str, Any]:
    """A tube. radius, inner_radius: lengths.

    >>> ring(radius=2e-3, inner_radius=1e-3, material=steel)["inner_radius"]
    0.001
    """
    return _section("ring", material, shear_correction, radius=radius, inner_radius=inner_radius)


def rectangle(width: float, height: float, material: Material, shear_correction: float | None = None) -> dict[str, Any]:
    """A solid rectangle. width: length along the first axis of the section; height: along the second.

    >>> rectangle(width=1e-2, height=1e-3, material=aluminium)["height"]
    0.001
    """
    return _section("rectangle", material, shear_correction, width=width, height=height)
