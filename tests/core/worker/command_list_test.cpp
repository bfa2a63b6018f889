// SPDX-License-Identifier: GPL-3.0-or-later
// Commands of the worker. `Hasten` is all that a new one needs, and its name in the list.
#include "core/worker/command_list.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <variant>

#include "core/worker/carry_out.h"
#include "tests/runs.h"

namespace twosphere::test::command_list_test {
namespace {

/// Another command: multiplies the rate of the run by a whole number.
struct Hasten {
  static constexpr CommandTraits traits{.keeps_drag = true};
  int factor = 2;
  void carry_out(CommandDesk& desk) const {
    if (factor < 1) return desk.fail({ErrorKind::usage, "factor", "must be 1 or more"});
    desk.status.requested_factor *= factor;
    desk.source->change_pace();
  }
};

template <class List, class... More>
struct Longer;
template <class... C, class... More>
struct Longer<std::variant<C...>, More...> {
  using type = std::variant<C..., More...>;
};
using LongerCommand = Longer<Command, Hasten>::type;

TEST(CommandList, AStructAndALineMakeACommand) {
  CommandDesk desk(start(preset()), 1000, StateStride::budget, std::size_t{1} << 20);
  desk.begin();
  LongerCommand hasten = Hasten{3};
  carry_out(hasten, desk);
  EXPECT_EQ(desk.status.requested_factor, 3);
  EXPECT_EQ(desk.status.commands, 1u);
  EXPECT_EQ(desk.status.error_count, 0u);
  hasten = Hasten{0};
  carry_out(hasten, desk);
  EXPECT_EQ(desk.status.requested_factor, 3);
  EXPECT_EQ(desk.status.error_count, 1u);
  LongerCommand steps = TakeSteps{5};
  carry_out(steps, desk);
  EXPECT_EQ(desk.steps_left, 5) << "the others are as before";
}

TEST(CommandList, TraitsAreThoseOfTheStruct) {
  EXPECT_TRUE(traits_of(LongerCommand(Hasten{})).keeps_drag);
  EXPECT_TRUE(traits_of(LongerCommand(Hasten{})).finishes_row);
  EXPECT_FALSE(traits_of(LongerCommand(Hasten{})).needs_own_run);
  EXPECT_TRUE(traits_of(LongerCommand(Pause{})).interrupts);
  EXPECT_TRUE(traits_of(Command(Change{})).needs_own_run) << "an edit";
}

}  // namespace
}  // namespace twosphere::test::command_list_test
