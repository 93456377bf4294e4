/// One thread that runs tasks in order. User document: docs/guide/results.md.
#include <filum/linalg/signals_blocked.hpp>
#include <filum/record/background.hpp>

#include <chrono>
#include <utility>

namespace filum::record {

Background::Background(std::function<void()> meanwhile) : meanwhile_(std::move(meanwhile)) {}

Background::~Background() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return tasks_.empty(); });
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Background::wait_until_below(std::unique_lock<std::mutex>& lock, std::size_t most) {
  constexpr std::chrono::milliseconds often(100);
  while (!changed_.wait_for(lock, often, [&] { return tasks_.size() < most; })) {
    if (!meanwhile_) continue;
    lock.unlock();
    meanwhile_();
    lock.lock();
  }
  if (failure_) std::rethrow_exception(failure_);  // from now on, always: later tasks rely on this one
}

void Background::post(std::function<void()> task, std::size_t most) {
  if (!thread_.joinable()) {
    const linalg::SignalsBlocked blocked;
    thread_ = std::thread([this] { work(); });
  }
  {
    std::unique_lock lock(mutex_);
    wait_until_below(lock, most);
    tasks_.push_back(std::move(task));
  }
  changed_.notify_all();
}

void Background::wait() {
  std::unique_lock lock(mutex_);
  wait_until_below(lock, 1);
}

void Background::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !tasks_.empty() || ends_; });
    if (tasks_.empty()) return;
    std::function<void()> task = std::move(tasks_.front());
    lock.unlock();
    std::exception_ptr failure;
    try {
      task();
    } catch (...) {
      failure = std::current_exception();
    }
    task = nullptr;
    lock.lock();
    tasks_.pop_front();
    if (failure) {
      failure_ = failure;
      tasks_.clear();
    }
    changed_.notify_all();
  }
}

}  // namespace filum::record
