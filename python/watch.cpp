// SPDX-License-Identifier: GPL-3.0-or-later
#include "python/watch.h"

#include <pybind11/pybind11.h>
#include <signal.h>

#include <array>
#include <mutex>

namespace twosphere::python {

namespace {

namespace py = pybind11;

struct Slot {
  std::atomic<bool> taken{false}, interrupted{false};
};
static_assert(std::atomic<bool>::is_always_lock_free);
std::array<Slot, 256> slots;
const std::atomic<bool> never{false};

std::mutex installing;
int watches = 0;             // guarded by `installing`
struct sigaction former {};  // Python's handler while there are watches

void on_interrupt(int number) {
  for (Slot& slot : slots) slot.interrupted.store(true, std::memory_order_relaxed);
  former.sa_handler(number);
}

int take_slot() {
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (!slots[i].taken.exchange(true)) {
      slots[i].interrupted = false;
      return static_cast<int>(i);
    }
  return -1;
}

const std::atomic<bool>& flag_of(int slot) {
  return slot < 0 ? never : slots[static_cast<std::size_t>(slot)].interrupted;
}

}  // namespace

Watch::Watch() : slot_(take_slot()), interruptible_(flag_of(slot_)) {
  const std::lock_guard lock(installing);
  if (watches++ > 0) return;
  // A signal that is ignored, or ends the process, is left alone.
  sigaction(SIGINT, nullptr, &former);
  if (former.sa_handler == SIG_IGN || former.sa_handler == SIG_DFL ||
      (former.sa_flags & SA_SIGINFO) != 0)
    return;
  struct sigaction own = former;
  own.sa_handler = on_interrupt;
  sigaction(SIGINT, &own, nullptr);
}

Watch::~Watch() {
  {
    const std::lock_guard lock(installing);
    struct sigaction present {};
    if (--watches == 0 && sigaction(SIGINT, nullptr, &present) == 0 &&
        present.sa_handler == on_interrupt)
      sigaction(SIGINT, &former, nullptr);
  }
  if (slot_ >= 0) slots[static_cast<std::size_t>(slot_)].taken = false;
}

const std::atomic<bool>& Watch::flag() const { return flag_of(slot_); }

void Watch::check() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (!interrupted()) return;
  const py::object threading = py::module_::import("threading");
  if (!threading.attr("current_thread")().is(threading.attr("main_thread")())) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
  }
  slots[static_cast<std::size_t>(slot_)].interrupted = false;
}

}  // namespace twosphere::python
