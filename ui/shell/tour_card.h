// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace twosphere::ui {

/// What the strip of a tour shows of its present step.
struct TourCard {
  std::string title;          ///< of the tour
  int number = 1, steps = 1;  ///< of the step, from 1, and how many there are
  std::string say;            ///< what the step says, or what follows from the answer
  std::string question{};     ///< empty: none is asked at present
  std::vector<std::string> options{};
  std::string awaited{};  ///< what the step waits for, in words; empty: nothing
  std::string ring{};     ///< a widget that a ring is drawn around; empty: none

  bool can_go_back() const { return number > 1; }
  bool can_go_on() const { return question.empty() && awaited.empty(); }
  bool is_last() const { return number == steps; }
};

/// What the user wants of a tour.
struct TourCall {
  enum class What {
    begin,   ///< the tour `name`
    back,    ///< to the step before
    next,    ///< to the next step, or from the last one out of the tour
    leave,   ///< the run stays as it is
    answer,  ///< the present question by this option
  };
  What what = What::next;
  std::string name{};      ///< of a tour
  std::size_t option = 0;  ///< index in TourCard::options

  bool operator==(const TourCall&) const = default;
};

}  // namespace twosphere::ui
