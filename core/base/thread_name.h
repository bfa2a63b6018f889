// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace twosphere {

/// Names the calling thread, as debuggers and `top -H` show it; at most 15 characters.
void name_this_thread(const char* name);

}  // namespace twosphere
