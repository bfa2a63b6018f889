// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <utility>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace twosphere {

#ifdef __SANITIZE_THREAD__
/// The thread sanitizer does not see the lock of Qt's queue, which orders the two threads: it is
/// told here. What is posted is a pointer alone, whose reading it does not watch. A call that is
/// not made is not freed.
template <class Call>
struct OrderedCall {
  Call* call;

  __attribute__((no_sanitize("thread"), noinline)) void operator()() const { make(call); }
  static void make(Call* call) {
    __tsan_acquire(call);
    (*call)();
    delete call;
  }
};
#endif

/// Calls `call` on the thread of the receiver when that thread returns to its event loop; not at
/// all if the receiver is destroyed before. What this thread wrote before is then visible there.
/// May be used on any thread.
template <class Call>
void post(QObject* receiver, Call call) {
#ifdef __SANITIZE_THREAD__
  const OrderedCall<Call> ordered{new Call(std::move(call))};
  __tsan_release(ordered.call);
  QMetaObject::invokeMethod(receiver, ordered, Qt::QueuedConnection);
#else
  QMetaObject::invokeMethod(receiver, std::move(call), Qt::QueuedConnection);
#endif
}

}  // namespace twosphere
