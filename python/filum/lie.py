"""The Lie groups of the library, over arrays: R1 R2 R3 SO3 S3 SO3xR3 S3xR3 SE3 S3sdR3 UDQ.

Each has ``dim``, ``size``, and the functions of docs/theory/groups.md: identity, compose, inverse, exp, log, bracket,
bracket_T, hat, Ad, tangent_op, tangent_op_inv, their products with vectors (tangent_op_times, tangent_op_T_times,
tangent_op_inv_times, tangent_op_inv_T_times) and the derivatives of those (d_tangent_op_inv_times,
d_tangent_op_inv_T_times); rigid motions also rotation, quaternion, position, from_pose and act. The last indices are those
of one element (3 x 3 in SO3, 3 x 4 in SE3) or tangent; all before them are kept.

>>> import numpy as np
>>> v = np.random.default_rng(1).normal(size=(1000, 6))
>>> q = S3sdR3.exp(v); q.shape
(1000, 7)
>>> bool(np.allclose(S3sdR3.log(q), v))
True
"""

from ._core import lie as _groups

R1, R2, R3 = _groups.R1, _groups.R2, _groups.R3
SO3, S3 = _groups.SO3, _groups.S3
SO3xR3, S3xR3 = _groups.SO3xR3, _groups.S3xR3
SE3, S3sdR3, UDQ = _groups.SE3, _groups.S3sdR3, _groups.UDQ

__all__ = ["R1", "R2", "R3", "SO3", "S3", "SO3xR3", "S3xR3", "SE3", "S3sdR3", "UDQ"]
