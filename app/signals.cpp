/// Ctrl-C: ends a run after its step, and everything else at once. User document: docs/guide/results.md, "Resuming".
#include "signals.hpp"

#include "exit_code.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <string_view>

namespace filum::app {
namespace {

std::atomic<bool> asked{false};
std::atomic<bool> is_late{false};  ///< a second has passed since, while a run was prepared
std::atomic<Listener> listener{Listener::none};
static_assert(std::atomic<Listener>::is_always_lock_free);  // a handler may do little else

/// A failed write to a terminal is ignored.
void say(std::string_view text) {
  if (isatty(STDERR_FILENO) == 1 && write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

[[noreturn]] void end() {
  say("\nfilum: interrupted\n");
  _exit(interrupted);
}

/// Of the processor, with what ending the program takes: a slow disk may take longer, and then a second signal ends it.
void allow_one_second() {
  const itimerval second{{0, 0}, {0, 800000}};
  setitimer(ITIMER_PROF, &second, nullptr);
}

void handle(int) {
  if (asked.exchange(true) || listener == Listener::none) end();
  if (listener == Listener::soon)
    alarm(1);
  else if (listener == Listener::end)
    allow_one_second();
  else {
    allow_one_second();
    say("\nfilum: stopping after this step; press Ctrl-C again to quit at once\n");
  }
}

/// Of both clocks.
void handle_alarm(int) {
  if (listener != Listener::run) end();
  is_late = true;
}

}  // namespace

const std::atomic<bool>& interrupt() { return asked; }

void watch_signals() {
  struct sigaction action {};
  action.sa_handler = handle;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = handle_alarm;
  sigaction(SIGALRM, &action, nullptr);
  sigaction(SIGPROF, &action, nullptr);
}

void set_listener(Listener who) {
  listener = who;
  if (who == Listener::end && asked && is_late.exchange(false)) allow_one_second();
}

}  // namespace filum::app
