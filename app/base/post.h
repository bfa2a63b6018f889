// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <utility>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace twosphere {

/// Calls `call` on the thread of the receiver when that thread returns to its event loop; not at
/// all if the receiver is destroyed before. What this thread wrote before is then visible there.
/// May be used on any thread.
template <class Call>
void post(QObject* receiver, Call call) {
#ifdef __SANITIZE_THREAD__
  // The thread sanitizer does not see the lock of Qt's queue, which orders the two threads.
  static char order;
  __tsan_release(&order);
  const auto ordered = [call = std::move(call)]() mutable {
    __tsan_acquire(&order);
    call();
  };
  QMetaObject::invokeMethod(receiver, ordered, Qt::QueuedConnection);
#else
  QMetaObject::invokeMethod(receiver, std::move(call), Qt::QueuedConnection);
#endif
}

}  // namespace twosphere
