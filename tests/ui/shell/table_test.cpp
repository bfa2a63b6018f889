// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of actions, speeds, colours and lane styles.
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "core/catalog.h"
#include "core/output/lane_style.h"
#include "ui/plot/draw_list.h"
#include "ui/shell/actions.h"
#include "ui/shell/interface_colors.h"
#include "ui/shell/pace.h"

namespace twosphere::table_test {
namespace {

using namespace ui;

TEST(Actions, AreCompleteAndWithoutClashes) {
  const std::set<std::string_view> menus{"File",  "Edit",    "Simulation", "View",
                                         "Plots", "Explore", "Window",     "Help"};
  std::set<std::string_view> ids, labels, keys;
  for (const ActionInfo& a : actions()) {
    EXPECT_EQ(&info(a.action), &a);
    EXPECT_TRUE(ids.insert(a.id).second) << a.id;
    EXPECT_TRUE(labels.insert(a.label).second) << a.label;
    EXPECT_TRUE(menus.contains(a.menu)) << a.menu;
    EXPECT_FALSE(a.help.empty()) << a.id;
    EXPECT_TRUE(a.help.ends_with('.')) << a.help;
    if (a.key.empty()) continue;
    EXPECT_TRUE(keys.insert(a.key).second) << a.key;
  }
  EXPECT_EQ(info(Action::play_pause).key, "Space");
  std::vector<Action> explore;
  for (const ActionInfo& a : actions())
    if (a.menu == "Explore") explore.push_back(a.action);
  EXPECT_EQ(explore,
            (std::vector<Action>{Action::plot_exponents, Action::switch_cloud,
                                 Action::poincare_section, Action::frequencies,
                                 Action::pair_distribution, Action::orbits, Action::parameter_map,
                                 Action::order_study, Action::check_step, Action::paper_figures}));
}

TEST(Actions, DoSomething) {
  int choices = 0;
#define INTERFACE(...) +1
#define TOGGLE(variable, on, off) +1
#define CHOICE(variable, ...) +1
#define PLOTS(...) +1
#define WINDOW(...) +1
#define WINDOW_IF(condition, ...) +1
#define ACTION(name, place, label, key, help, ...) \
  EXPECT_GE(0 __VA_ARGS__, 1) << #name;            \
  if (!info(Action::name).group.empty()) ++choices;
#include "ui/shell/action_list.h"
  EXPECT_EQ(info(Action::theme_dark).group, info(Action::theme_light).group);
  EXPECT_NE(info(Action::theme_dark).group, info(Action::map_viridis).group);
  EXPECT_GE(choices, 12) << "themes, colours, colour maps";
}

TEST(Pace, GoesThroughEveryFactorAndBack) {
  Pace pace{Pacing::real_time, speed_factors().front()};
  for (std::size_t i = 1; i < speed_factors().size(); ++i) {
    pace = faster(pace);
    EXPECT_EQ(pace.pacing, Pacing::real_time);
    EXPECT_EQ(pace.factor, speed_factors()[i]);
  }
  pace = faster(pace);
  EXPECT_EQ(pace.pacing, Pacing::fastest);
  EXPECT_EQ(faster(pace).pacing, Pacing::fastest);
  for (std::size_t i = speed_factors().size(); i-- > 0;) {
    pace = slower(pace);
    EXPECT_EQ(pace.factor, speed_factors()[i]);
  }
  EXPECT_EQ(slower(pace).factor, speed_factors().front());
  EXPECT_EQ(faster({Pacing::real_time, 3}).factor, 5);
  EXPECT_EQ(slower({Pacing::real_time, 3}).factor, 2);
  EXPECT_EQ(faster({Pacing::every_step, 50}).factor, 2);
  EXPECT_EQ(describe({Pacing::real_time, 0.5}), "0.5× real time");
}

TEST(Pace, FactorsAreOneTwoFive) {
  for (std::size_t i = 0; i + 3 < speed_factors().size(); ++i)
    EXPECT_NEAR(speed_factors()[i + 3] / speed_factors()[i], 10, 1e-12);
  EXPECT_EQ(speed_factors().front(), 0.01);
  EXPECT_EQ(speed_factors().back(), 100);
}

TEST(Palette, TextAndCurvesStandOut) {
  for (const Palette p : palettes) {
    const Colors& c = colors(p);
    const bool high = p == Palette::high_contrast;
    const double text = high ? 7 : 4.5, curve = high ? 4.5 : 3;
    for (const Color ground : {c.scene, c.panel, c.field})
      for (const Color im_color : {c.text, c.dim, c.accent, c.warning, c.error})
        EXPECT_GE(contrast(im_color, ground), text)
            << std::hex << im_color.rgb << " on " << ground.rgb;
    EXPECT_GE(contrast(c.text, c.hovered), text);
    EXPECT_GE(contrast(c.on_accent, c.accent), text);
    for (const LaneColors choice : {LaneColors::own, LaneColors::paper})
      for (const Color ground : {c.scene, c.panel}) {
        for (const IntegratorInfo& i : integrators())
          EXPECT_GE(contrast(lane_style(i.key, p, choice).color, ground), curve) << i.key;
        EXPECT_GE(contrast(lane_style("none of these", p, choice).color, ground), text);
      }
    EXPECT_EQ(c.borders, high);
    // What has a border must show it.
    for (const Color ground : {c.scene, c.panel, c.field})
      EXPECT_GE(contrast(c.border, ground), c.borders ? 4.5 : 1) << std::hex << c.border.rgb;
  }
}

// Around what overlaps the scene and the columns, and plainer than a separator.
TEST(Palette, EdgesStandOut) {
  for (const Palette p : palettes) {
    const Colors& c = colors(p);
    for (const Color ground : {c.scene, c.panel}) {
      EXPECT_GE(contrast(c.edge, ground), c.borders ? 4.5 : 1.8)
          << std::hex << c.edge.rgb << " on " << ground.rgb;
      EXPECT_GT(contrast(c.edge, ground), 1.3 * contrast(c.line, ground));
    }
  }
}

TEST(LaneStyles, TellIntegratorsApartWithoutColour) {
  for (const Palette p : palettes) {
    std::set<std::pair<Dash, Marker>> looks;
    std::set<std::uint32_t> shades, paper;
    for (const IntegratorInfo& i : integrators()) {
      const LaneStyle style = lane_style(i.key, p);
      looks.insert({style.dash, style.marker});
      EXPECT_TRUE(shades.insert(style.color.rgb).second) << i.key;
      EXPECT_NE(i.look, Look{}) << i.key << " has no look of its own";
      EXPECT_TRUE(paper.insert(lane_style(i.key, p, LaneColors::paper).color.rgb).second) << i.key;
    }
    EXPECT_EQ(looks.size(), std::min(integrators().size(), all_dashes.size() * all_markers.size()));
  }
  EXPECT_EQ(lane_style("variational", Palette::light, LaneColors::paper).dash, Dash::solid);
  EXPECT_EQ(lane_style("rk45", Palette::light, LaneColors::paper).dash, Dash::dotted);
  EXPECT_EQ(lane_style("rk2_projected", Palette::light, LaneColors::paper).dash, Dash::dashed);
  EXPECT_EQ(lane_style("rk2_projected", Palette::light, LaneColors::paper).color.rgb, 0u);
  EXPECT_EQ(lane_style("variational", Palette::dark).color.rgb, 0x56b4e9u);
  EXPECT_EQ(lane_style("variational", Palette::light).color.rgb, 0x0072b2u);
  EXPECT_TRUE(pattern(Dash::solid).empty());
  for (const Dash d : {Dash::dashed, Dash::dotted, Dash::dash_dot, Dash::long_dash})
    EXPECT_EQ(pattern(d).size() % 2, 0u);
}

}  // namespace
}  // namespace twosphere::table_test
