/// Small runs in a folder that disappears with the test.
#pragma once

#include <filum/config/fingerprint.hpp>
#include <filum/scenario/read.hpp>
#include <filum/study/execute.hpp>
#include <filum/study/run_data.hpp>

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <vector>

namespace filum::study {

/// A body that flies straight ahead and does not turn.
inline constexpr const char* flight = R"(
schema = 1
[time]
end = 1
step = 0.125
output_every = 0.25
[integrator]
method = "rattlie"
[[body]]
name = "box"
mass = 2
inertia = [1, 1, 1]
velocity = [1, 2, 2]
)";

class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "filum-study-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TestFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline Run make_run(const std::string& text, const std::vector<std::string>& overrides = {}) {
  Run run;
  run.scenario = scenario::to_toml(scenario::parse_scenario(text, "test.toml", overrides));
  run.hash = config::fingerprint(run.scenario);
  return run;
}

/// Carries out scenarios and reads what they recorded.
class Runs {
 public:
  RunData data(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    const Run run = make_run(text, overrides);
    ExecuteOptions options;
    options.cases = folder_.path();
    execute_run(run, options);
    return RunData(run, folder_.path());
  }

 private:
  TestFolder folder_;
};

}  // namespace filum::study
