// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace twosphere::test {

/// During its lifetime this process can start only `more` additional threads: each has a stack of 1
/// GiB, and the address space is limited accordingly.
class ThreadLimit {
 public:
  explicit ThreadLimit(int more) {
    ::pthread_getattr_default_np(&default_);
    pthread_attr_t large;
    ::pthread_attr_init(&large);
    ::pthread_attr_setstacksize(&large, stack);
    ::pthread_setattr_default_np(&large);
    ::pthread_attr_destroy(&large);

    ::getrlimit(RLIMIT_AS, &before_);
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit little = before_;
    little.rlim_cur = pages * static_cast<std::size_t>(::getpagesize()) +
                      static_cast<std::size_t>(more) * stack + stack / 2;
    ::setrlimit(RLIMIT_AS, &little);
  }
  ~ThreadLimit() {
    ::setrlimit(RLIMIT_AS, &before_);
    ::pthread_setattr_default_np(&default_);
    ::pthread_attr_destroy(&default_);
  }
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  static constexpr std::size_t stack = std::size_t{1} << 30;
  pthread_attr_t default_{};
  rlimit before_{};
};

}  // namespace twosphere::test
