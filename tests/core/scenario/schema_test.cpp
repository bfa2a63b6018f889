// SPDX-License-Identifier: GPL-3.0-or-later
// What validators make of the schema is tested by tests/app/schema_test, where there is one.
#include "core/scenario/schema.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/scenario/keys.h"

namespace twosphere::schema_test {
namespace {

using json::Node;

const Node& schema() {
  static const Node made = scenario_schema();
  return made;
}

/// A definition of the schema.
const Node& definition(const std::string& name) {
  static const Node none = Node::object();
  const Node* found = schema().find("$defs")->find(name);
  EXPECT_NE(found, nullptr) << name;
  return found ? *found : none;
}

/// The texts at a key, and the keys of all objects at it, wherever it stands.
std::set<std::string> all_at(const Node& node, std::string_view key) {
  std::set<std::string> found;
  for (const Node& item : node.items) found.merge(all_at(item, key));
  for (const auto& [name, value] : node.members) {
    if (name == key && !value.text.empty()) found.insert(value.text);
    if (name == key)
      for (const auto& [inner, unused] : value.members) found.insert(inner);
    found.merge(all_at(value, key));
  }
  return found;
}

void expect_parameter(const Node& node, const ParameterInfo& info) {
  SCOPED_TRACE(info.key);
  ASSERT_NE(node.find("description"), nullptr);
  EXPECT_TRUE(node.find("description")->text.starts_with(info.help));
  if (const Node* unit = node.find("x-unit")) {
    EXPECT_EQ(unit->text, info.unit);
    EXPECT_EQ(node.find("x-range")->items[1].number, info.high);
  } else {
    EXPECT_TRUE(info.shape == Shape::choice || info.shape == Shape::count);
  }
  if (info.required) {
    EXPECT_EQ(node.find("default"), nullptr);
  }
}

TEST(Schema, HasEveryParameterOfTheCatalogue) {
  for (const SystemInfo& system : systems()) {
    if (system.key == custom_system().key) continue;
    const Node& properties = *definition(fmt::format("system.{}", system.key)).find("properties");
    EXPECT_EQ(properties.members.size(), system.parameters.size() + 1) << system.key;
    for (const ParameterInfo& info : system.parameters) {
      ASSERT_NE(properties.find(info.key), nullptr) << info.key;
      expect_parameter(*properties.find(info.key), info);
      const auto inner = all_at(*properties.find(info.key), "properties");
      for (std::size_t k = 1; k < info.forms.size(); ++k)
        for (const ParameterInfo& field : info.forms[k].fields)
          EXPECT_TRUE(inner.contains(std::string(field.key))) << field.key;
    }
  }
  for (const char* object : {"integrator", "lane", "added_lane"})
    EXPECT_EQ(definition(object).find("allOf")->items.size(), integrators().size());
  expect_parameter(definition("step"), step_parameter());
  for (const IntegratorInfo& method : integrators())
    for (const ParameterInfo& info : method.parameters)
      expect_parameter(definition(fmt::format("{}.{}", method.key, info.key)), info);
}

TEST(Schema, HasEveryKeyOfTheTable) {
  const auto keys = all_at(schema(), "properties");
  for (const ObjectInfo& object : file_objects())
    for (const KeyInfo& key : object.keys)
      EXPECT_TRUE(keys.contains(std::string(key.key))) << object.name << ' ' << key.key;
}

TEST(Schema, RefersToItsDefinitionsAndToAllOfThem) {
  std::set<std::string> expected{"#"};  // scenarios within a view
  for (const auto& [name, value] : schema().find("$defs")->members)
    expected.insert("#/$defs/" + name);
  EXPECT_EQ(all_at(schema(), "$ref"), expected);
}

TEST(Schema, GivesUnitsDefaultsRangesAndForms) {
  const Node& chain = *definition("system.chain_pendulum").find("properties");
  const Node& gravity = *chain.find("gravity");
  EXPECT_EQ(gravity.find("default")->number, 9.81);
  EXPECT_EQ(gravity.find("x-unit")->text, "m/s²");
  ASSERT_EQ(gravity.find("type")->items.size(), 2U);
  EXPECT_EQ(gravity.find("type")->items[1].text, "string");
  EXPECT_EQ(chain.find("masses")->find("exclusiveMinimum")->number, 0);
  EXPECT_EQ(chain.find("masses")->find("items")->find("exclusiveMinimum")->number, 0);
  EXPECT_EQ(chain.find("control_torque")->find("default")->items.size(), 3U);
  EXPECT_EQ(chain.find("control_torque")->find("allOf")->items.size(), 3U);
  const Node& formulation = definition("rk4.formulation");
  EXPECT_EQ(formulation.find("default")->text, "omega");
  EXPECT_EQ(formulation.find("enum")->items.size(), 4U);
}

TEST(Schema, ShowsLinksAsText) {
  const Node& stop = *schema().find("properties")->find("stop");
  EXPECT_EQ(stop.find("description")->text, "conditions that end the run: see Stop conditions");
}

}  // namespace
}  // namespace twosphere::schema_test
