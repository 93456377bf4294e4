/// Threads that share the chunks of a loop. Theory: docs/theory/performance.md, "Threads".
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>

namespace filum::linalg {

/// The thread that makes a team and `threads` − 1 others. Whoever is free takes the next task, so nobody waits for a
/// thread that the machine does not run, unless it has begun a task. Threads without work look for some for a few
/// microseconds, then sleep. Nothing allocates after construction.
class Team {
 public:
  explicit Team(int threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  int threads() const;

  /// task(k) for k = 0 … count − 1 in any order, on any thread; returns when all are done. When tasks throw, the
  /// exception of the lowest k is passed on. To be called by one thread at a time; loops inside of tasks run there.
  template <class F>
  void run(int count, F&& task) {
    using Task = std::remove_reference_t<F>;
    run(
        count, [](const void* f, int k) { (*static_cast<Task*>(const_cast<void*>(f)))(k); },
        static_cast<const void*>(std::addressof(task)));
  }

  /// As many threads as the process may use.
  static int cores();

 private:
  using Call = void (*)(const void* task, int k);
  void run(int count, Call call, const void* task);
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

/// While it lives, loops of the thread that has made it are shared with the team. Without a team they are not.
class TeamInUse {
 public:
  explicit TeamInUse(Team* team);
  ~TeamInUse();
  TeamInUse(const TeamInUse&) = delete;
  TeamInUse& operator=(const TeamInUse&) = delete;

 private:
  Team* before_;
};

/// The team of this thread; none inside of tasks.
Team* team_in_use();

/// task(k) for k = 0 … count − 1, shared with the team in use; in ascending order when there is none. Tasks must not
/// write to the same places, and their numbers must not depend on each other.
template <class F>
void for_each_task(int count, F&& task) {
  if (Team* const team = count > 1 ? team_in_use() : nullptr) return team->run(count, task);
  for (int k = 0; k < count; ++k) task(k);
}

/// f(begin, end) for chunks of `size` of the numbers 0 … count − 1: for all of them at once when no team is in use.
/// Numbers must not depend on where chunks begin.
template <class F>
void for_each_chunk(int count, int size, F&& f) {
  Team* const team = count > size ? team_in_use() : nullptr;
  if (!team) {
    if (count > 0) f(0, count);
    return;
  }
  team->run((count + size - 1) / size, [&](int k) { f(k * size, std::min(count, (k + 1) * size)); });
}

}  // namespace filum::linalg
