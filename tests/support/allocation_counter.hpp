/// Counts every allocation of the program, whoever makes it: new, Eigen, or a C library; and says where they are put.
#pragma once

namespace filum::test {

/// Allocations since the program began.
long allocations();

/// Allocations that f() makes.
template <class F>
long allocations_of(F&& f) {
  const long before = allocations();
  f();
  return allocations() - before;
}

/// From now on memory begins `bytes` after a multiple of 64, a multiple of 8 below 64. False when addresses cannot be
/// chosen here: a sanitizer has its own allocator.
bool shift_allocations(int bytes);

}  // namespace filum::test
