/// Starting a program and waiting for it. User document: docs/guide/studies.md, "Running".
#include "child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

namespace filum::study {
namespace {

/// The environment without what tells a program that it was started by MPI.
std::vector<char*> plain_environment() {
  std::vector<char*> kept;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    const bool is_mpi = text.starts_with("OMPI_") || text.starts_with("PMIX_") || text.starts_with("PMI_");
    if (!is_mpi && !text.starts_with("FILUM_PARENT=")) kept.push_back(*entry);
  }
  kept.push_back(nullptr);
  return kept;
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t cut = text.rfind('\n');
  return cut == std::string::npos ? text : text.substr(cut + 1);
}

/// Reads until the child has closed its end, and passes an interruption on once.
std::string drained(int pipe_end, pid_t child, const std::atomic<bool>* interrupt) {
  std::string text;
  bool told = false;
  while (true) {
    if (interrupt && interrupt->load() && !told) {
      kill(child, SIGINT);
      told = true;
    }
    pollfd waiting{pipe_end, POLLIN, 0};
    if (poll(&waiting, 1, 100) <= 0) continue;
    char buffer[4096];
    const ssize_t n = read(pipe_end, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
    constexpr std::size_t enough = 1 << 16;
    if (text.size() > 2 * enough) text.erase(0, text.size() - enough);
  }
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& command, const std::atomic<bool>* interrupt) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {1, 0, std::strerror(errno)};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  // Its own process group: Ctrl-C reaches it only through us.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);

  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> environment = plain_environment();
  std::string parent = "FILUM_PARENT=" + std::to_string(getpid());
  environment.insert(environment.begin(), parent.data());
  pid_t child = 0;
  const int error = posix_spawn(&child, arguments[0], &actions, &attributes, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return {1, 0, command.front() + ": " + std::strerror(error)};
  }
  ChildResult result;
  result.message = last_line(drained(ends[0], child, interrupt));
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
  return result;
}

}  // namespace filum::study
