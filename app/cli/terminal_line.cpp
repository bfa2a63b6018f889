// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal_line.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>

#include "core/base/excerpt.h"

namespace twosphere {

namespace {

constexpr const char* erase_line = "\r\033[K";

}  // namespace

TerminalLine::TerminalLine(bool wanted) : shown_(wanted && ::isatty(STDERR_FILENO) == 1) {}

void TerminalLine::show(std::string_view text) {
  if (!shown_) return;
  fmt::print(stderr, "{}{}", erase_line, printable(text));
  std::fflush(stderr);
  written_ = true;
}

void TerminalLine::clear() {
  if (written_) std::fputs(erase_line, stderr);
  written_ = false;
}

void TerminalLine::end() {
  if (written_) std::fputs("\n", stderr);
  written_ = false;
}

}  // namespace twosphere
