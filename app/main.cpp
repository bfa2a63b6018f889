// SPDX-License-Identifier: GPL-3.0-or-later
#include <exception>

#include "app/cli/command_line.h"
#include "app/session/plan.h"
#include "core/base/exceptions.h"

int main(int argc, char** argv) {
  try {
    return twosphere::command_line(argc, argv);
  } catch (const std::exception& e) {
    return twosphere::report_error(twosphere::from_exception(e));
  }
}
