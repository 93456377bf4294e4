/// Fixed parts of study.html: its style sheet and its script. User document: docs/guide/studies.md.
#pragma once

#include <string_view>

namespace filum::study {

std::string_view page_style();
std::string_view page_script();

}  // namespace filum::study
