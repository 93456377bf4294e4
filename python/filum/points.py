"""Where joints, springs, loads and sensors are attached: objects and points on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Mapping

if TYPE_CHECKING:
    from .model import Model


class Point:
    """A place on an object or in space, where joints, springs, loads and sensors are attached."""

    __slots__ = ("_model", "_text", "_offset")

    def __init__(self, model: "Model | None", text: str, offset: tuple[float, float, float] | None = None) -> None:
        self._model, self._text, self._offset = model, text, offset

    @property
    def _reference_(self) -> str:
        return self._text

    def at(self, point: Iterable[float]) -> "Point":
        """The point (x, y, z) in the frame that the object has here; of the ground: in space.

        >>> ground.at((0, 0, 1))
        <filum.Point ground at (0.0, 0.0, 1.0)>
        """
        x, y, z = (float(c) for c in point)
        return Point(self._model, self._text, (x, y, z))

    def __repr__(self) -> str:
        return f"<filum.Point {self._text}" + (f" at {self._offset}>" if self._offset else ">")


ground = Point(None, "ground")
system = Point(None, "system")


class Handle(Point):
    """An object of a model. ``rod.start``, ``rod.end`` and ``rod.at(s)`` are points of a beam.

    >>> import filum as fl
    >>> m = fl.Model()
    >>> rod = m.beam(name="rod", start=(0, 0, 0), end=(1, 0, 0), segments=4, section=fl.circle(radius=1e-2, material=fl.steel))
    >>> rod.kind, rod.name, rod.end, rod.at(0.5)
    ('beam', 'rod', <filum.Point rod:end>, <filum.Point rod@0.5>)
    """

    __slots__ = ("kind", "name")

    def __init__(self, model: "Model | None", kind: str, name: str) -> None:
        super().__init__(model, name)
        self.kind, self.name = kind, name

    @property
    def start(self) -> Point:
        """The first node of a beam."""
        return Point(self._model, f"{self.name}:start")

    @property
    def end(self) -> Point:
        """The last node of a beam."""
        return Point(self._model, f"{self.name}:end")

    def at(self, *place: Any, s1: Any = None, s2: Any = None) -> Point:
        """``rod.at(s)`` at an arc length, ``body.at((x, y, z))`` in its frame, ``sheet.at(s1, s2)`` on a surface, and
        ``sheet.at(s1=0)`` or ``sheet.at(s2="end")`` for its edges and grid lines.

        >>> import filum as fl
        >>> m = fl.Model()
        >>> body = m.body(name="body", mass=1, inertia=(1, 1, 1))
        >>> body.at((0, 0, 1))
        <filum.Point body at (0.0, 0.0, 1.0)>
        """
        if place and (s1 is not None or s2 is not None):
            raise TypeError("at(): expected sheet.at(s1, s2), or one of s1= and s2=")
        if s1 is not None and s2 is not None:
            place = (s1, s2)
        elif s1 is not None or s2 is not None:
            edge, value = ("s1", s1) if s1 is not None else ("s2", s2)
            return Point(self._model, f"{self.name}:{edge}={_coordinate(value)}")
        if len(place) == 1 and not _is_number(place[0]):
            return super().at(place[0])
        return Point(self._model, f"{self.name}@" + ",".join(_coordinate(p) for p in place))

    def __repr__(self) -> str:
        return f"<filum.Handle {self.kind} {self.name}>"

    def __reduce__(self) -> Any:
        return (Handle, (None, self.kind, self.name))  # of no model: good for looking results up


def _is_number(x: Any) -> bool:
    return isinstance(x, str) or hasattr(x, "__float__") and not hasattr(x, "__len__")


def _coordinate(x: Any) -> str:
    return x if isinstance(x, str) else repr(float(x))


def _all_points(value: Any) -> Iterable[Point]:
    if isinstance(value, Point):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _all_points(item)


def check_model(model: "Model", table: Mapping[str, Any]) -> None:
    """Points of other models have no meaning here."""
    for key, value in table.items():
        for point in _all_points(value):
            if point._model is not None and point._model is not model:
                raise ValueError(f"{key}: {point._text} belongs to another model")


def take_offsets(kind: str, table: dict[str, Any]) -> None:
    """Points in frames of objects have keys of their own in files."""
    on = table.get("on")
    if isinstance(on, Point) and on._offset is not None:
        table.setdefault("point", on._offset)
    partners = table.get("connects")
    if not isinstance(partners, (list, tuple)) or not any(isinstance(p, Point) and p._offset for p in partners):
        return
    offsets = [getattr(p, "_offset", None) or (0, 0, 0) for p in partners]
    if kind == "joint" and table.get("type") != "distance":
        in_space = [p._offset for p in partners if isinstance(p, Point) and p._text == "ground" and p._offset]
        if not in_space:
            raise ValueError("connects: a joint is held at a point in space: give `at`, or fl.ground.at((x, y, z))")
        table.setdefault("at", in_space[0])
    else:
        table.setdefault("points", offsets)
