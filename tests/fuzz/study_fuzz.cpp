/// Fuzz target: no text may crash the study reader, and what it accepts is expanded or refused with a place. User
/// document: docs/guide/error-messages.md.
#include <filum/study/cases.hpp>
#include <filum/study/read.hpp>

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace filum;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const study::Study study = study::parse_study(text, "fuzz.toml");
    std::size_t cases = 1;
    for (const study::Vary& v : study.vary) cases *= v.values.size() + v.options.size();
    if (cases > 4) return 0;  // every case reads a scenario: reading is what is tested
    if (study::expand(study).cases.empty()) std::abort();
  } catch (const config::InputError& error) {
    if (error.problems().empty() || std::string_view(error.what()).empty()) std::abort();
  }
  return 0;
}
