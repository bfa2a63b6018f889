// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

namespace twosphere {

/// Starts a program, the first word, in a child process, which first calls prepare().
inline pid_t start_child(std::vector<std::string> words, const std::function<void()>& prepare) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  prepare();
  ::execv(pointers[0], pointers.data());
  ::_exit(127);
}

}  // namespace twosphere
