/// Bytes as text. User document: docs/guide/results.md.
#pragma once

#include <span>
#include <string>

namespace filum::record {

std::string base64(std::span<const unsigned char> bytes);

}  // namespace filum::record
