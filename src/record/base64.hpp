/// Bytes as text. User document: docs/guide/results.md.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace filum::record {

std::string base64(std::span<const unsigned char> bytes);
/// Nothing when the text is not what base64() writes.
std::optional<std::vector<unsigned char>> bytes_of_base64(std::string_view text);

}  // namespace filum::record
