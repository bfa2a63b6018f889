// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/thread_name.h"

#include <pthread.h>

namespace twosphere {

void name_this_thread(const char* name) { (void)::pthread_setname_np(::pthread_self(), name); }

}  // namespace twosphere
