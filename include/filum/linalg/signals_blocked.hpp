/// Threads that leave Ctrl-C to the main thread.
#pragma once

#include <pthread.h>

#include <csignal>

namespace filum::linalg {

/// A thread that is made while this lives receives no signals: it inherits the mask of the one that makes it.
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

}  // namespace filum::linalg
