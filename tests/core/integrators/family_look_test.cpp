// SPDX-License-Identifier: GPL-3.0-or-later
// Looks that are derived, for a catalogue with more methods than it has.
#include "core/integrators/family_look.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "core/catalog.h"

namespace twosphere::test {
namespace {

enum class Kind { implicit, splitting, projected, runge_kutta };
constexpr std::array kinds{Kind::implicit, Kind::splitting, Kind::projected, Kind::runge_kutta};

/// The record of a method without a look.
IntegratorInfo method(Kind kind) {
  IntegratorInfo info;
  info.explicit_method = kind != Kind::implicit;
  info.reversible = kind == Kind::implicit || kind == Kind::splitting;
  info.keeps_sphere = kind != Kind::runge_kutta;
  return info;
}

/// The catalogue and `more` methods without looks, of one kind or of all in turn, each with the
/// look that the catalogue would give it.
std::vector<IntegratorInfo> extended(std::size_t more, std::vector<Kind> of) {
  std::vector<IntegratorInfo> list(integrators().begin(), integrators().end());
  for (std::size_t i = 0; i < more; ++i) list.push_back(method(of[i % of.size()]));
  give_looks(list);
  return list;
}

void expect_all_differ(const std::vector<IntegratorInfo>& list) {
  std::set<std::pair<Dash, Marker>> lines;
  std::set<std::tuple<std::uint32_t, Dash, Marker>> triples;
  std::array<std::set<std::uint32_t>, 4> colors;
  for (const IntegratorInfo& info : list) {
    const Look& look = info.look;
    lines.insert({look.dash, look.marker});
    triples.insert({look.light.rgb, look.dash, look.marker});
    colors[0].insert(look.dark.rgb);
    colors[1].insert(look.light.rgb);
    colors[2].insert(look.paper_dark.rgb);
    colors[3].insert(look.paper_light.rgb);
    for (const Color color : {look.dark, look.paper_dark}) EXPECT_GE(contrast(color, {0}), 4.5);
    for (const Color color : {look.light, look.paper_light})
      EXPECT_GE(contrast(color, {0xeef1f5}), 3);
  }
  EXPECT_EQ(lines.size(), std::min(list.size(), all_dashes.size() * all_markers.size()));
  EXPECT_EQ(triples.size(), list.size());
  for (const auto& tints : colors) EXPECT_EQ(tints.size(), list.size());
}

TEST(FamilyLook, TwelveMoreMethodsNeedNoneAndChangeNone) {
  std::vector<std::vector<Kind>> ways{{kinds.begin(), kinds.end()}};
  for (const Kind kind : kinds) ways.push_back({kind});
  for (const std::vector<Kind>& of : ways) {
    SCOPED_TRACE(static_cast<int>(of[0]));
    const std::vector<IntegratorInfo> list = extended(12, of), fewer = extended(5, of),
                                      again = extended(12, of);
    expect_all_differ(list);
    for (std::size_t i = 0; i < list.size(); ++i) {
      EXPECT_EQ(list[i].look, again[i].look) << i;
      if (i < fewer.size()) {
        EXPECT_EQ(list[i].look, fewer[i].look) << i;
      }
      if (i < integrators().size()) {
        EXPECT_EQ(list[i].look, integrators()[i].look) << i;
      }
    }
  }
}

// Though no method of the catalogue stated a look.
TEST(FamilyLook, AMethodThatIsAddedAnywhereChangesNone) {
  std::vector<IntegratorInfo> bare(integrators().begin(), integrators().end());
  for (IntegratorInfo& info : bare) info.look = {};
  std::vector<IntegratorInfo> before = bare;
  give_looks(before);
  for (std::size_t place = 0; place <= bare.size(); place += 3) {
    std::vector<IntegratorInfo> list = bare;
    const auto at = static_cast<std::ptrdiff_t>(place);
    list.insert(list.begin() + at, method(kinds[place % kinds.size()]));
    give_looks(list);
    EXPECT_NE(list[place].look, Look{});
    list.erase(list.begin() + at);
    for (std::size_t i = 0; i < list.size(); ++i)
      EXPECT_EQ(list[i].look, before[i].look) << list[i].key << " with another one at " << place;
  }
  // The last of those that had looks when their order was written down.
  EXPECT_EQ(find_integrator("heun_projected")->look,
            (Look{{0xecb842}, {0x966700}, {0x979797}, {0x5a5a5a}, Dash::dotted, Marker::diamond}));
}

TEST(FamilyLook, IsTheOneThatARecordStates) {
  IntegratorInfo info = method(Kind::splitting);
  info.look = {.dark = {0x123456}, .dash = Dash::long_dash, .marker = Marker::square};
  EXPECT_EQ(family_look(info, integrators()), info.look);
  EXPECT_EQ(family_look(info, std::vector{info, info}), info.look);
}

// Where all dashes are free, that of the family, then its next marker.
TEST(FamilyLook, KeepsTheDashOfTheFamilyWhileItCan) {
  const std::array own{Dash::solid, Dash::dotted, Dash::dotted, Dash::dashed};
  for (const Kind kind : kinds) {
    std::vector list(all_markers.size() + 1, method(kind));
    give_looks(list);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Look& look = list[i].look;
      const Dash dash = own[static_cast<std::size_t>(kind)];
      if (i == all_markers.size()) {
        EXPECT_NE(look.dash, dash);
        continue;
      }
      EXPECT_EQ(look.dash, dash);
      EXPECT_EQ(look.marker, all_markers[i]);
    }
  }
}

// Two methods with dash and marker in common have unlike colours.
TEST(FamilyLook, ToldByColourWhereDashesAndMarkersAreAllTaken) {
  std::vector<IntegratorInfo> list(all_dashes.size() * all_markers.size(), method(Kind::splitting));
  list.resize(2 * list.size(), method(Kind::runge_kutta));
  give_looks(list);
  const auto channel = [](Color color, int shift) {
    return static_cast<int>(color.rgb >> shift & 0xff);
  };
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const Look &a = list[i].look, &b = list[k].look;
      if (a.dash != b.dash || a.marker != b.marker) continue;
      for (const Color Look::*color : {&Look::dark, &Look::light}) {
        int apart = 0;
        for (const int shift : {16, 8, 0})
          apart = std::max(apart, std::abs(channel(a.*color, shift) - channel(b.*color, shift)));
        EXPECT_GE(apart, 24) << i << ", " << k;
      }
    }
}

// Where everything is taken, there is still a look.
TEST(FamilyLook, NeverRunsOut) {
  const std::vector<IntegratorInfo> list = extended(200, {kinds.begin(), kinds.end()});
  for (const IntegratorInfo& info : list) {
    EXPECT_NE(info.look, Look{});
    EXPECT_GE(contrast(info.look.dark, {0}), 4.5);
    EXPECT_GE(contrast(info.look.light, {0xeef1f5}), 3);
  }
}

}  // namespace
}  // namespace twosphere::test
