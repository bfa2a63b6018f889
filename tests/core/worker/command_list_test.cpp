// SPDX-License-Identifier: GPL-3.0-or-later
// What a command of the worker takes besides the function that carries it out: a struct and a line.
#include "core/worker/command_list.h"

#include <gtest/gtest.h>

#include <tuple>
#include <variant>

namespace twosphere::test::command_list_test {
namespace {

/// Another command.
struct Beep {
  int times = 1;
};
constexpr auto longer_list =
    std::tuple_cat(command_list, std::tuple{CommandRecord<Beep>{{.interrupts = true}}});
using LongerCommand = decltype(command_of(longer_list));

TEST(CommandList, ALineMakesACommand) {
  static_assert(std::variant_size_v<LongerCommand> == std::variant_size_v<Command> + 1);
  const LongerCommand beep = Beep{3}, change = Change{};
  EXPECT_EQ(std::get<Beep>(beep).times, 3);
  EXPECT_TRUE(traits_of<longer_list>(beep).interrupts);
  EXPECT_TRUE(traits_of<longer_list>(beep).finishes_row);
  EXPECT_FALSE(traits_of<longer_list>(beep).needs_own_run);
  EXPECT_TRUE(traits_of<longer_list>(change).is_edit);
  EXPECT_TRUE(traits_of(Command(Change{})).needs_own_run) << "an edit";
}

}  // namespace
}  // namespace twosphere::test::command_list_test
