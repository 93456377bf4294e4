/// Study files to structs. User document: docs/guide/studies.md.
#pragma once

#include <filum/study/study.hpp>

#include <string>
#include <string_view>

namespace filum::study {

/// Reads and checks a study. `source` is what messages call the text. Throws config::InputError with all mistakes
/// found.
Study parse_study(std::string_view text, const std::string& source);

/// A file, or the name of a built-in study. Throws config::InputError.
Study read_study(const std::string& file_or_name);

/// The study as its short form. Throws config::InputError when it has none.
Study shortened(const Study& study);

struct BuiltinStudy {
  std::string_view name;
  std::string_view text;  ///< the file
  std::string title() const;
  bool is_of_paper() const;  ///< reproduces a figure
};

/// The studies that are part of the program, by name.
const std::vector<BuiltinStudy>& builtin_studies();
const BuiltinStudy* find_builtin(std::string_view name);

}  // namespace filum::study
