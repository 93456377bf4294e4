/// Short names for long texts. User document: docs/guide/studies.md, "Cases".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace filum::config {

/// FNV-1a of everything that was added.
class Fingerprint {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  std::uint64_t value() const { return state_; }
  /// 16 hexadecimal digits.
  std::string text() const {
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[state_ >> shift & 15];
    return digits;
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

inline std::string fingerprint(std::string_view text) {
  Fingerprint f;
  f.add(text);
  return f.text();
}

}  // namespace filum::config
