/// Fuzz target: no text may crash the scenario reader, and what it accepts it must be able to write and read again.
/// User document: docs/guide/error-messages.md.
#include <filum/scenario/read.hpp>

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace filum;
  using namespace filum::scenario;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<config::Override> overrides;
  // A first line that begins with "#set " is an override.
  if (text.starts_with("#set ")) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    overrides.emplace_back(text.substr(5, end - 5));
  }
  try {
    const Scenario scenario = parse_scenario(text, "fuzz.toml", overrides);
    const std::string once = to_toml(scenario);
    if (to_toml(parse_scenario(once, "again.toml")) != once) std::abort();
  } catch (const config::InputError& error) {
    if (error.problems().empty() || std::string_view(error.what()).empty()) std::abort();
  }
  return 0;
}
