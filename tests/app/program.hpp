/// The program in a separate folder, for tests.
#pragma once

#include <filum/record/hdf5_file.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

namespace filum {

namespace fs = std::filesystem;
using record::Hdf5File;

inline std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Result {
  int code = -1;  ///< exit code, or 1000 + signal
  std::string out, err;
};

/// Every test has its own folder, in which the program runs.
class Program : public testing::Test {
 protected:
  Program() {
    folder_ = fs::temp_directory_path() / ("filum-" + std::to_string(getpid()) + test_name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Program() override { fs::remove_all(folder_); }

  static std::string test_name() {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
  }
  pid_t start(std::vector<std::string> arguments, rlim_t largest_file = RLIM_INFINITY) const {
    arguments.insert(arguments.begin(), program_);
    const pid_t child = fork();
    if (child != 0) return child;
    std::vector<char*> argv;
    for (std::string& a : arguments) argv.push_back(a.data());
    argv.push_back(nullptr);
    if (largest_file != RLIM_INFINITY) {
      const rlimit limit{largest_file, largest_file};
      setrlimit(RLIMIT_FSIZE, &limit);
      signal(SIGXFSZ, SIG_IGN);  // writing then fails as on a full disk
    }
    if (chdir(folder_.c_str()) != 0 || !freopen("out.txt", "w", stdout) || !freopen("err.txt", "w", stderr)) _exit(99);
    execv(argv[0], argv.data());
    _exit(98);
  }
  Result finish(pid_t child) const {
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), content(folder_ / "out.txt"),
            content(folder_ / "err.txt")};
  }
  Result run(const std::vector<std::string>& arguments) const { return finish(start(arguments)); }
  static bool has_ended(pid_t child) {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
  }
  /// Waits until the child has made a file; false when it has ended. On a busy machine anything may take long.
  bool wait_for(const std::string& file, pid_t child) const {
    while (!fs::exists(folder_ / file)) {
      if (has_ended(child)) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
  }
  /// Starts until a run was really ended by the signal, after its first checkpoint and before its end.
  Result end_half_way(const std::vector<std::string>& arguments, int signal) const {
    for (;;) {
      fs::remove_all(folder_ / "r");
      const pid_t child = start(arguments);
      const bool is_under_way = wait_for("r/checkpoint.h5", child);
      kill(child, signal);
      Result r = finish(child);
      if (!is_under_way || r.code != 0) return r;
    }
  }

  fs::path folder_;
  std::string program_ = FILUM_PROGRAM;
};

/// A run of about a second on an idle machine, with checkpoints all the time.
inline const std::vector<std::string> long_run{"run",
                                               "heavy-top-fast",
                                               "-o",
                                               "r",
                                               "--quiet",
                                               "--set",
                                               "time.end=40",
                                               "--set",
                                               "time.step=2^-13",
                                               "--set",
                                               "time.output_every=2^-7",
                                               "--set",
                                               "output.checkpoint_every=0.02"};

}  // namespace filum
