// SPDX-License-Identifier: GPL-3.0-or-later
#include <string_view>

#include "app/cli/command_line.h"
#include "tests/app/window_fixture.h"

/// main() of the test programs that drive the window. The tasks of a sweep run in processes of the
/// program that plans them.
int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "sweep") return twosphere::command_line(argc, argv);
  return twosphere::test::run_window_tests(argc, argv);
}
