// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/notation.h"

#include <string_view>

namespace twosphere::ui {

std::string with_primes(std::string text) {
  constexpr std::string_view dot = "\u0307", prime = "′";
  for (auto at = text.find(dot); at != text.npos; at = text.find(dot, at + prime.size()))
    text.replace(at, dot.size(), prime);
  return text;
}

}  // namespace twosphere::ui
