/// One run, and all runs in a pool of threads. User document: docs/guide/studies.md, "Running".
#include "case_files.hpp"
#include "child_process.hpp"
#include "unsynced_runs.hpp"

#include <filum/record/completion.hpp>
#include <filum/record/folder_lock.hpp>
#include <filum/record/marks.hpp>
#include <filum/record/replace_file.hpp>
#include <filum/scenario/modes.hpp>
#include <filum/scenario/read.hpp>
#include <filum/scenario/simulation.hpp>
#include <filum/study/execute.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>

namespace filum::study {
namespace {

using std::filesystem::path;
using Json = nlohmann::json;

/// On a disk that is full, nothing is written: then the run is missing, and a later attempt says why.
void write_reason(const path& folder, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  try {
    record::replace_file(folder / reason_file, text + "\n", "the reason", record::Durability::quick);
  } catch (const record::FileTrouble&) {
  }
}

std::string without_start(const std::string& text, const std::string& start) {
  return text.starts_with(start) ? text.substr(start.size()) : text;
}

double number_at(const Json& json, const char* object, const char* key) {
  const auto found = json.find(object);
  if (found == json.end()) return std::numeric_limits<double>::quiet_NaN();
  const auto value = found->find(key);
  return value != found->end() && value->is_number() ? value->get<double>() : std::numeric_limits<double>::quiet_NaN();
}

void read_summary(const Json& json, RunOutcome& outcome) {
  const std::string status = json.value("status", "");
  if (status == "interrupted") return;
  outcome.state = status == "done" ? RunState::done : RunState::stopped;
  outcome.reason = json.value("message", "");
  static constexpr struct {
    const char *name, *object, *key;
  } numbers[] = {{"seconds", "seconds", "integration"},
                 {"cpu", "seconds", "cpu"},
                 {"steps", "steps", "accepted"},
                 {"rejected", "steps", "rejected"},
                 {"newton", "newton", "iterations"},
                 {"jacobians", "newton", "jacobians"},
                 {"energy.drift_max", "energy", "drift_max"},
                 {"constraint.position_max", "constraint", "position_max"},
                 {"constraint.velocity_max", "constraint", "velocity_max"}};
  for (const auto& n : numbers) outcome.numbers[n.name] = number_at(json, n.object, n.key);
  const Json modes = json.value("modes", Json::array());
  for (std::size_t k = 0; k < modes.size(); ++k)
    for (const char* key : {"omega", "frequency", "damping"})
      outcome.numbers[mode_number(key, static_cast<int>(k) + 1)] = modes[k].value(key, 0.0);
}

/// The steps of `execute_run`: each leaves the folder in a state that `inspect` understands.
class RunExecution {
 public:
  RunExecution(const Run& run, const ExecuteOptions& options)
      : run_(run), options_(options), folder_(options.cases / run.hash) {}

  void go() {
    std::error_code error;
    std::filesystem::remove(folder_ / reason_file, error);
    if (!run_.refusal.empty()) return write_reason(folder_, "refused: " + run_.refusal);
    const bool has_checkpoint = std::filesystem::exists(folder_ / "checkpoint.h5", error);
    if (options_.isolated) {
      in_child(has_checkpoint);
    } else if (!has_checkpoint || !resumed()) {
      simulated(folder_, options_.interrupt);
    }
  }

  /// One more run of a case whose time counts, unless it has had `times` of them; the shortest is kept.
  void measure_again(int times) const {
    const RunOutcome before = inspect(run_, options_.cases);
    if (run_.modes || before.state != RunState::done || before.runs >= times) return;
    const path folder = folder_ / "repeat";
    const record::Run result = simulated(folder, options_.interrupt);
    record::remove_results(folder);
    std::error_code error;
    std::filesystem::remove(folder, error);
    if (is_interrupted() || result.summary.status != "done") return;  // the disk may be full
    const Json least{{"seconds", std::min(result.summary.seconds_integration, before.numbers.at("seconds"))},
                     {"cpu", std::min(result.summary.seconds_cpu, before.numbers.at("cpu"))},
                     {"runs", before.runs + 1}};
    record::replace_file(folder_ / timing_file, least.dump() + "\n", "the shortest time", record::Durability::quick);
  }

 private:
  scenario::SimulationOptions simulation_options(const path& folder, const std::atomic<bool>* interrupt) const {
    scenario::SimulationOptions options;
    options.folder = folder;
    options.force = true;
    options.interrupt = interrupt;
    options.threads = 1;  // the cores are for other runs
    options.durability = options_.durability;
    return options;
  }
  scenario::Scenario scenario() const { return scenario::parse_scenario(run_.scenario, run_.hash); }

  /// False when the checkpoint is of no use: then the run starts again.
  bool resumed() const {
    try {
      scenario::resume(simulation_options(folder_, options_.interrupt));
      return inspect(run_, options_.cases).state != RunState::missing || is_interrupted();
    } catch (const record::FolderBusy&) {
      throw;
    } catch (const std::exception&) {
      return false;
    }
  }
  bool is_interrupted() const { return options_.interrupt && options_.interrupt->load(); }

  record::Run simulated(const path& folder, const std::atomic<bool>* interrupt) const {
    try {
      if (run_.modes) {
        record::ModesRunOptions what{.modes = {.count = run_.modes->count},
                                     .at_equilibrium = run_.modes->at == ModesTask::At::equilibrium};
        scenario::find_modes(scenario(), std::move(what), simulation_options(folder, interrupt));
        return {};
      }
      return scenario::simulate(scenario(), simulation_options(folder, interrupt));
    } catch (const record::FolderBusy&) {
      throw;
    } catch (const record::FolderRefused& error) {
      write_reason(folder, std::string("failed: ") + error.what());
    } catch (const config::InputError& error) {
      write_reason(folder, "refused: " + error.problems().front().message);
    } catch (const analysis::NoModes& reason) {
      write_reason(folder, std::string("refused: no modes: ") + reason.what());
    } catch (const record::NoEquilibrium& reason) {
      write_reason(folder, std::string("refused: no modes: ") + reason.what());
    } catch (const std::exception& error) {
      write_reason(folder, std::string("failed: ") + error.what());
    }
    return {};
  }

  /// `filum run` and `filum resume`, as a user would.
  void in_child(bool has_checkpoint) const {
    { const record::FolderLock is_free(folder_); }
    if (has_checkpoint) {
      run_child({options_.program, "resume", folder_, "--threads", "1", "--quiet", "--no-report"}, interrupt());
      if (inspect(run_, options_.cases).state != RunState::missing || is_interrupted()) return;
    }
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    const path input = folder_ / input_file;
    record::replace_file(input, record::signed_toml(run_.scenario), "the scenario", record::Durability::quick);
    std::vector<std::string> words{options_.program, "run", input, "-o", folder_, "--threads", "1"};
    words.insert(words.end(), {"--force", "--quiet", "--no-report"});
    if (run_.modes) {
      words[1] = "modes";
      const bool is_static = run_.modes->at == ModesTask::At::equilibrium;
      words.insert(words.end(), {"-n", std::to_string(run_.modes->count), "--at", is_static ? "static" : "start"});
    }
    const ChildResult result = run_child(words, interrupt());
    if (is_interrupted()) return;
    if (result.signal != 0)
      write_reason(folder_, "failed: the process was ended by signal " + std::to_string(result.signal));
    else if (result.code == 2 || (run_.modes && result.code == 3))
      simulated(folder_, interrupt());  // refuses again, in the same words as without a process
    else if (result.code == 1)
      write_reason(folder_, "failed: " + without_start(result.message, "filum: "));
  }
  const std::atomic<bool>* interrupt() const { return options_.interrupt; }

  const Run& run_;
  const ExecuteOptions& options_;
  path folder_;
};

}  // namespace

std::string mode_number(const std::string& what, int mode) { return what + "." + std::to_string(mode); }

const std::string& word_of(RunState state) {
  static const std::string words[] = {"missing", "done", "stopped", "refused", "failed"};
  return words[static_cast<int>(state)];
}

RunOutcome inspect(const Run& run, const path& cases) {
  RunOutcome outcome;
  const path folder = cases / run.hash;
  if (const std::string reason = record::text_of_file(folder / reason_file); !reason.empty()) {
    const std::size_t colon = reason.find(": ");
    outcome.state = reason.starts_with("refused") ? RunState::refused : RunState::failed;
    outcome.reason = colon == std::string::npos ? "" : reason.substr(colon + 2, reason.find('\n') - colon - 2);
    return outcome;
  }
  try {
    const Json json = Json::parse(record::completion_of(folder).summary);
    if (json.value("filum", "") != record::version()) return outcome;  // other numbers: run again
    read_summary(json, outcome);
    const Json timing = Json::parse(record::text_of_file(folder / timing_file), nullptr, false);
    if (timing.is_object())
      for (const char* key : {"seconds", "cpu"}) outcome.numbers[key] = timing.value(key, outcome.numbers[key]);
    outcome.runs = timing.is_object() ? timing.value("runs", 1) : 1;
  } catch (const Json::exception&) {  // none, or half of one
    outcome = {};
  }
  return outcome;
}

void execute_run(const Run& run, const ExecuteOptions& options) {
  const path folder = options.cases / run.hash;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  while (!inspect(run, options.cases).is_final()) {
    try {
      return RunExecution(run, options).go();
    } catch (const record::FolderBusy&) {
      // After a study was killed, a run of another rank of it may take a moment to end; or it is being resumed by hand.
      if (options.interrupt && options.interrupt->load()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    } catch (const std::exception& trouble) {
      return write_reason(folder, std::string("failed: ") + trouble.what());
    }
  }
}

std::vector<int> unfinished(const CaseList& list, const path& cases) {
  std::vector<int> left;
  for (std::size_t i = 0; i < list.runs.size(); ++i)
    if (!inspect(list.runs[i], cases).is_final()) left.push_back(static_cast<int>(i));
  std::stable_sort(left.begin(), left.end(), [&](int a, int b) {
    return list.runs[static_cast<std::size_t>(a)].cost > list.runs[static_cast<std::size_t>(b)].cost;
  });
  return left;
}

namespace {

/// In rounds over all runs, so that a machine that is slow for a while is slow for all of them.
void measure(const CaseList& list, const ExecuteOptions& options) {
  for (int times = 2; times <= options.repeat; ++times)
    for (const Run& run : list.runs) {
      if (options.interrupt && options.interrupt->load()) return;
      try {
        RunExecution(run, options).measure_again(times);
      } catch (const std::exception&) {  // another process uses the folder: the times stay as they are
      }
    }
}

}  // namespace

void execute(const CaseList& list, const ExecuteOptions& given) {
  /// Fewer runs do not wait long for the disk one by one, and to wait for all of it may take a while.
  constexpr std::size_t worth_waiting_once = 50;
  ExecuteOptions options = given;
  const std::vector<int> left = unfinished(list, options.cases);
  std::optional<UnsyncedRuns> unsynced;
  if (!options.isolated && left.size() >= worth_waiting_once)
    options.durability = unsynced.emplace(options.cases).durability();
  const int all = static_cast<int>(list.runs.size());
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const std::size_t workers = std::min(left.size(), static_cast<std::size_t>(options.jobs > 0 ? options.jobs : cores));
  std::atomic<std::size_t> next{0};
  int finished = all - static_cast<int>(left.size());
  std::mutex telling;
  const auto work = [&] {
    while (!(options.interrupt && options.interrupt->load())) {
      const std::size_t i = next++;
      if (i >= left.size()) return;
      execute_run(list.runs[static_cast<std::size_t>(left[i])], options);
      const std::lock_guard lock(telling);
      ++finished;
      if (options.progress) options.progress(finished, all);
    }
  };
  if (options.progress && !left.empty()) options.progress(finished, all);
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < workers; ++i) threads.emplace_back(work);
  threads.clear();  // waits for them
  measure(list, options);
}

}  // namespace filum::study
