/// One thread that works off tasks in order. User document: docs/guide/results.md.
#include <filum/record/background.hpp>

#include <csignal>
#include <utility>

namespace filum::record {
namespace {

/// Ctrl-C is for the main thread: a new thread inherits the mask of the one that makes it.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

Background::Background() {
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { work(); });
}

Background::~Background() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !busy_; });
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Background::wait_until_idle(std::unique_lock<std::mutex>& lock) {
  changed_.wait(lock, [this] { return !busy_; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Background::post(std::function<void()> task) {
  {
    std::unique_lock lock(mutex_);
    wait_until_idle(lock);
    task_ = std::move(task);
    busy_ = true;
  }
  changed_.notify_all();
}

void Background::wait() {
  std::unique_lock lock(mutex_);
  wait_until_idle(lock);
}

void Background::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return busy_ || ends_; });
    if (!busy_) return;
    std::function<void()> task = std::exchange(task_, nullptr);
    lock.unlock();
    std::exception_ptr failure;
    try {
      task();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    failure_ = failure;
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace filum::record
