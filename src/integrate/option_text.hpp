/// Numbers as messages show them.
#pragma once

#include <sstream>
#include <string>

namespace filum::integrate {

template <class T>
std::string text_of(const T& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

}  // namespace filum::integrate
