// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <chrono>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "core/base/result.h"

namespace twosphere {

/// Runs work on separate threads and delivers the results on the thread of this object. Failures,
/// including exceptions and threads that cannot be started, are returned as an Error.
class Background : public QObject {
 public:
  using QObject::QObject;
  /// Waits for the work in progress without calling its end().
  ~Background() override;

  bool busy() const { return !jobs_.empty(); }
  /// Waits until all work is done. The calls of end() follow later.
  void wait();

  /// Calls work(), which returns a Result, on a new thread; then end(result) on the thread of this
  /// object: before this returns if the work is done within `patience`.
  template <class Work, class End>
  void start(Work work, End end, std::chrono::milliseconds patience = {}) {
    using Outcome = decltype(work());
    auto outcome = std::make_shared<std::optional<Outcome>>();
    begin([outcome, work = std::move(work)]() mutable { outcome->emplace(work()); },
          [outcome, end = std::move(end)](const std::optional<Error>& failure) mutable {
            end(failure ? Outcome(*failure) : std::move(**outcome));
          },
          patience);
  }

 private:
  using End = std::function<void(const std::optional<Error>&)>;
  struct Job {
    explicit Job(End then) : end(std::move(then)) {}
    End end;
    std::thread thread;
    std::optional<Error> failure;
    std::promise<void> done;
    QObject receiver;  // of the call that ends the job, which is not made once that has ended
  };
  using JobIterator = std::list<Job>::iterator;
  void begin(std::function<void()> work, End end, std::chrono::milliseconds patience);
  void finish(JobIterator job);

  std::list<Job> jobs_;
};

}  // namespace twosphere
