/// Counts every allocation of the program, whoever makes it: new, Eigen, or a C library.
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

}  // namespace filum::test
