/// Rank 0 hands out runs. User document: docs/guide/studies.md, "Many machines".
#include "mpi_pool.hpp"

#include "local_runs.hpp"
#include "mpi_channel.hpp"

#include <filum/record/hdf5_file.hpp>
#include <filum/record/replace_file.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <random>
#include <set>

namespace filum::study {
namespace {

using channel::Message;
using channel::Tag;
using Json = nlohmann::json;
using std::filesystem::path;

void nap() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

std::string random_word() {
  std::random_device random;
  return std::to_string(random()) + std::to_string(random());
}

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Runs write into the folder on every machine, and rank 0 reads what they wrote.
void require_shared_folder(const path& cases) {
  const std::string word = random_word();
  const path file = cases / (".seen-" + word);
  try {
    record::replace_file(file, word + "\n", "a note to the other ranks", record::Durability::quick);
  } catch (const record::FileTrouble& trouble) {
    config::refuse_input("", trouble.what());
  }
  const std::string question = Json{{"file", file.string()}, {"content", word}}.dump();
  for (int to = 1; to < channel::size(); ++to) channel::send(to, Tag::look_for, question);
  std::set<std::string> blind;
  for (int left = channel::size() - 1; left > 0;) {
    const auto message = channel::received();
    if (!message) nap();
    if (!message || message->tag != Tag::looked) continue;
    --left;
    const Json answer = Json::parse(message->text);
    if (!answer.at("sees")) blind.insert(answer.at("host").get<std::string>());
  }
  std::error_code error;
  std::filesystem::remove(file, error);
  if (!blind.empty())
    config::refuse_input(cases.string(),
                         "all ranks must be able to write to this folder, but it is missing, is a different one or is "
                         "not writable on " +
                             joined(blind) + "; choose a folder that all machines share with -o");
}

class Dispatcher {
 public:
  Dispatcher(const CaseList& list, const ExecuteOptions& options)
      : list_(list),
        options_(options),
        cases_(std::filesystem::absolute(options.cases)),
        waiting_(unfinished(list, cases_)),
        finished_(static_cast<int>(list.runs.size() - waiting_.size())),
        free_(static_cast<std::size_t>(channel::size()), std::max(1, options.jobs)),
        own_(options.program, stop_) {}

  /// False: interrupted.
  bool go() {
    std::reverse(waiting_.begin(), waiting_.end());  // the longest are taken first, from the end
    while (running_ > 0 || (!waiting_.empty() && !stop_)) {
      if (options_.interrupt && options_.interrupt->load()) interrupt();
      while (const auto message = channel::received()) hear(*message);
      for (std::size_t left = own_.collected().size(); left > 0; --left) finish(0);
      if (!stop_) hand_out();
      nap();
    }
    await_results();
    return !stop_;
  }

 private:
  void hand_out() {
    while (!waiting_.empty()) {
      const auto freest = std::max_element(free_.begin(), free_.end());
      if (*freest == 0) return;
      --*freest;
      ++running_;
      give(static_cast<int>(freest - free_.begin()), waiting_.back());
      waiting_.pop_back();
    }
  }
  void give(int to, int number) {
    const Run& run = list_.runs[static_cast<std::size_t>(number)];
    if (to == 0) return own_.start(number, run, cases_);
    channel::send(to, Tag::execute_run,
                  Json{{"number", number},
                       {"hash", run.hash},
                       {"scenario", run.scenario},
                       {"refusal", run.refusal},
                       {"modes", run.modes ? run.modes->count : 0},
                       {"at_equilibrium", run.modes && run.modes->at == ModesTask::At::equilibrium},
                       {"cases", cases_.string()}}
                      .dump());
  }

  void hear(const Message& message) {
    if (message.tag == Tag::interrupt) interrupt();
    if (message.tag != Tag::executed) return;
    const Json answer = Json::parse(message.text);
    reported_[answer.at("number")] = answer.at("state");
    finish(message.from);
  }
  void finish(int rank) {
    ++free_[static_cast<std::size_t>(rank)];
    --running_;
    ++finished_;
    if (options_.progress && !stop_) options_.progress(finished_, static_cast<int>(list_.runs.size()));
  }
  void interrupt() {
    if (stop_.exchange(true)) return;
    for (int to = 1; to < channel::size(); ++to) channel::send(to, Tag::interrupt, {});
  }

  /// A network file system may show the files of other machines late; listing a folder makes it look again.
  void await_results() const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    for (const auto& [number, state] : reported_) {
      const Run& run = list_.runs[static_cast<std::size_t>(number)];
      while (inspect(run, cases_).state != state && std::chrono::steady_clock::now() < deadline) {
        std::error_code error;
        for (const path& folder : {cases_, cases_ / run.hash})
          for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;) at.increment(error);
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
    }
  }

  const CaseList& list_;
  const ExecuteOptions& options_;
  path cases_;
  std::vector<int> waiting_;
  int finished_, running_ = 0;
  std::vector<int> free_;             ///< how many more runs a rank may have
  std::map<int, RunState> reported_;  ///< what other ranks made of their runs
  std::atomic<bool> stop_{false};
  LocalRuns own_;
};

}  // namespace

bool execute_with_mpi(const CaseList& list, const ExecuteOptions& options) {
  require_shared_folder(std::filesystem::absolute(options.cases));
  return Dispatcher(list, options).go();
}

}  // namespace filum::study
