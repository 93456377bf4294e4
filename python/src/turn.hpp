/// What a simulation that is stepped by hand owes to threads and to Ctrl-C. User document: docs/python/README.md,
/// "Stepping".
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace filum::python {

namespace py = pybind11;

/// One caller at a time: other threads wait, and a function that is called by a step cannot use the simulation it is
/// in.
class Turn {
 public:
  struct Of {
    std::mutex mutex;
    std::atomic<std::thread::id> owner{};
  };
  explicit Turn(Of& of) : of_(of) {
    if (of.owner == std::this_thread::get_id())
      throw std::runtime_error(
          "a function of the model uses the simulation that is calling it; its arguments have the state of the step");
    const py::gil_scoped_release unlocked;
    of.mutex.lock();
    of.owner = std::this_thread::get_id();
  }
  ~Turn() {
    of_.owner = std::thread::id();
    of_.mutex.unlock();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Of& of_;
};

/// Ctrl-C while steps are made, looked for a few times a second.
class SignalCheck {
 public:
  void operator()() {
    constexpr std::chrono::milliseconds often(100);
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < often) return;
    last_ = now;
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace filum::python
