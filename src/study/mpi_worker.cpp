/// The ranks that work for rank 0. User document: docs/guide/studies.md, "Many machines".
#include "local_runs.hpp"
#include "mpi_channel.hpp"

#include <filum/study/mpi.hpp>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <chrono>
#include <fstream>

namespace filum::study {
namespace {

using channel::Message;
using channel::Tag;
using Json = nlohmann::json;
using std::filesystem::path;

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "an unknown host";
}

bool has_content(const path& file, const std::string& wanted) {
  std::string found;
  return std::getline(std::ifstream(file), found) && found == wanted;
}

/// Whether this machine sees what rank 0 has just written, and may write beside it.
std::string looked_for(const Json& question) {
  const path file = question.at("file").get<std::string>();
  bool sees = false;
  for (int tries = 0; tries < 30 && !sees; ++tries) {  // a network file system may take its time
    if (tries > 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    sees = has_content(file, question.at("content"));
  }
  sees = sees && access(file.parent_path().c_str(), W_OK) == 0;
  return Json{{"sees", sees}, {"host", host_name()}}.dump();
}

class Worker {
 public:
  Worker(const path& program, const std::atomic<bool>& interrupt) : interrupt_(interrupt), runs_(program, stop_) {}

  void work() {
    while (!ends_ || !runs_.empty()) {
      while (const auto message = channel::received()) answer(*message);
      if (interrupt_.load() && !told_) {
        told_ = stop_ = true;
        channel::send(0, Tag::interrupt, {});
      }
      for (const LocalRuns::Finished& f : runs_.collected())
        channel::send(0, Tag::executed, Json{{"number", f.number}, {"state", f.state}}.dump());
      // Blocking calls of MPI would keep a core busy that a run can use.
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    channel::send(0, Tag::ended, {});
  }

 private:
  void answer(const Message& message) {
    switch (message.tag) {
      case Tag::look_for: return channel::send(0, Tag::looked, looked_for(Json::parse(message.text)));
      case Tag::execute_run: return execute_run(Json::parse(message.text));
      case Tag::end_session: ends_ = true; [[fallthrough]];
      case Tag::interrupt: stop_ = true; return;
      default: return;
    }
  }
  void execute_run(const Json& task) {
    Run run;
    task.at("hash").get_to(run.hash);
    task.at("scenario").get_to(run.scenario);
    task.at("refusal").get_to(run.refusal);
    if (const int count = task.at("modes"); count > 0)
      run.modes = {count, task.at("at_equilibrium") ? ModesTask::At::equilibrium : ModesTask::At::start};
    runs_.start(task.at("number"), std::move(run), task.at("cases").get<std::string>());
  }

  const std::atomic<bool>& interrupt_;
  std::atomic<bool> stop_{false};
  bool told_ = false, ends_ = false;
  LocalRuns runs_;
};

}  // namespace

void work_for_rank_0(const path& program, const std::atomic<bool>& interrupt) {
  if (channel::is_open()) Worker(program, interrupt).work();
}

}  // namespace filum::study
