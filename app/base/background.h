// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThread>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/result.h"

namespace twosphere {

/// Work on threads of its own, beside the thread that this object lives on. What goes wrong there,
/// exceptions and a thread that cannot be had included, comes back as an Error.
class Background : public QObject {
 public:
  using QObject::QObject;
  /// Waits for the work under way, and takes no end of it.
  ~Background() override;

  bool busy() const { return !jobs_.empty(); }
  /// Until all work is done. Its ends still come.
  void wait();

  /// Calls work(), which returns some Result, on a thread of its own; then end(result) on this
  /// object's.
  template <class Work, class End>
  void start(Work work, End end) {
    using Outcome = decltype(work());
    auto outcome = std::make_shared<std::optional<Outcome>>();
    begin([outcome, work = std::move(work)]() mutable { outcome->emplace(work()); },
          [outcome, end = std::move(end)](const std::optional<Error>& failure) mutable {
            end(failure ? Outcome(*failure) : std::move(**outcome));
          });
  }

 private:
  struct Job {
    std::function<void(const std::optional<Error>&)> end;
    std::unique_ptr<QThread> thread{};
    std::optional<Error> failure{};
  };
  using Place = std::list<Job>::iterator;
  void begin(std::function<void()> work, std::function<void(const std::optional<Error>&)> end);
  void announce(Place job);
  void finish(Place job);

  std::list<Job> jobs_;
};

}  // namespace twosphere
