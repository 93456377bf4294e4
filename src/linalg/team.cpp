/// Threads that share the chunks of a loop. Theory: docs/theory/performance.md, "Threads".
#include <filum/linalg/signals_blocked.hpp>
#include <filum/linalg/team.hpp>

#include <sched.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace filum::linalg {
namespace {

thread_local Team* team_of_thread = nullptr;

/// A thread without work looks for some this long. The serial code between two loops of a step takes less.
constexpr std::chrono::microseconds patience{30};

/// The state of all tasks in one number: a count of loops, and how many tasks of this one nobody has taken.
constexpr int bits_of_left = 24;
constexpr std::uint64_t mask_of_left = (std::uint64_t{1} << bits_of_left) - 1;

inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/// Waits until `done()`; false when that took longer than `patience`. Other threads of the machine go first.
template <class Done>
bool wait_a_little(Done&& done) {
  constexpr int pauses = 64;
  for (int k = 0; k < pauses; ++k) {
    if (done()) return true;
    relax();
  }
  const auto end = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < end) {
    if (done()) return true;
    std::this_thread::yield();
  }
  return false;
}

}  // namespace

// A task is taken by lowering the number of those left, which succeeds only while the loop is the one that was looked
// at: what has been read of it before that is valid.
struct Team::Shared {
  alignas(64) std::atomic<std::uint64_t> state = 0;
  std::atomic<Call> call = nullptr;
  std::atomic<const void*> task = nullptr;
  std::atomic<int> count = 0;
  alignas(64) std::atomic<int> done = 0;
  alignas(64) std::atomic<int> sleeping = 0;
  std::atomic<int> alarms = 0;
  std::atomic<bool> ends = false;
  std::mutex mutex;  ///< of what has been thrown
  std::exception_ptr thrown;
  int thrown_by = -1;
  std::vector<std::thread> threads;

  /// One task, if there is any.
  bool take_one() {
    std::uint64_t seen = state.load(std::memory_order_acquire);
    const auto left = static_cast<int>(seen & mask_of_left);
    if (left == 0) return false;
    const Call f = call.load(std::memory_order_relaxed);
    const void* const what = task.load(std::memory_order_relaxed);
    const int k = count.load(std::memory_order_relaxed) - left;
    if (!state.compare_exchange_strong(seen, seen - 1, std::memory_order_acq_rel)) return true;
    try {
      f(what, k);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!thrown || k < thrown_by) thrown = std::current_exception(), thrown_by = k;
    }
    done.fetch_add(1, std::memory_order_release);
    return true;
  }

  bool has_work() const { return (state.load() & mask_of_left) > 0 || ends.load(); }

  void work() {
    while (!ends.load(std::memory_order_relaxed)) {
      if (take_one() || wait_a_little([this] { return has_work(); })) continue;
      const int heard = alarms.load();
      sleeping.fetch_add(1);
      if (!has_work()) alarms.wait(heard);
      sleeping.fetch_sub(1);
    }
  }

  /// As many as there is work for besides that of the caller.
  void wake(int tasks) {
    const int asleep = sleeping.load();
    if (asleep == 0) return;
    alarms.fetch_add(1);
    if (tasks > asleep) return alarms.notify_all();
    for (int k = 1; k < tasks; ++k) alarms.notify_one();
  }
};

Team::Team(int threads) : shared_(std::make_unique<Shared>()) {
  assert(threads >= 1);
  const SignalsBlocked blocked;
  for (int k = 1; k < threads; ++k) shared_->threads.emplace_back([s = shared_.get()] { s->work(); });
}

Team::~Team() {
  shared_->ends = true;
  shared_->alarms.fetch_add(1);
  shared_->alarms.notify_all();
  for (std::thread& thread : shared_->threads) thread.join();
}

int Team::threads() const { return static_cast<int>(shared_->threads.size()) + 1; }

void Team::run(int count, Call call, const void* task) {
  assert(count < static_cast<int>(mask_of_left));
  if (count <= 0) return;
  Shared& s = *shared_;
  const TeamInUse none(nullptr);
  s.call.store(call, std::memory_order_relaxed);
  s.task.store(task, std::memory_order_relaxed);
  s.count.store(count, std::memory_order_relaxed);
  s.done.store(0, std::memory_order_relaxed);
  const std::uint64_t loop = (s.state.load(std::memory_order_relaxed) >> bits_of_left) + 1;
  s.state.store(loop << bits_of_left | static_cast<std::uint64_t>(count));
  s.wake(count);
  while (s.take_one()) {
  }
  while (!wait_a_little([&] { return s.done.load(std::memory_order_acquire) == count; })) {
  }
  if (!s.thrown) return;
  const std::exception_ptr thrown = s.thrown;
  s.thrown = nullptr;
  std::rethrow_exception(thrown);
}

int Team::cores() {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  if (sched_getaffinity(0, sizeof mine, &mine) == 0) return std::max(1, CPU_COUNT(&mine));
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

TeamInUse::TeamInUse(Team* team) : before_(team_of_thread) { team_of_thread = team; }
TeamInUse::~TeamInUse() { team_of_thread = before_; }

Team* team_in_use() { return team_of_thread; }

}  // namespace filum::linalg
