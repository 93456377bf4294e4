/// Which files filum wrote: nothing else is ever removed or replaced. User document: docs/guide/security.md.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace filum::record {

/// Near the beginning of XML files; pages have <meta name="generator" content="filum">.
inline constexpr std::string_view xml_mark = "<!-- filum -->";
/// The second line of MatrixMarket files.
inline constexpr std::string_view matrix_mark = "% Written by filum";

/// The text of a TOML file with a first line that has its checksum: a file that was changed is no longer ours.
std::string signed_toml(std::string_view text);
/// The text without that line, whether or not it was changed.
std::string_view without_signature(std::string_view text);

/// Whether filum wrote this file, by what is in it. Links, folders and files that cannot be read are not ours.
bool is_ours(const std::filesystem::path& file);

/// Everything in a file; nothing when it cannot be read.
std::string text_of_file(const std::filesystem::path& file);

}  // namespace filum::record
