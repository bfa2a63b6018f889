// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/custom/definition_keys.h"

namespace twosphere::keys_test {
namespace {

TEST(Keys, EachObjectStandsInTheTableOnceAndHasEachKeyOnce) {
  std::set<std::string_view> objects;
  for (const ObjectInfo& object : file_objects()) {
    EXPECT_TRUE(objects.insert(object.name).second) << object.name;
    EXPECT_EQ(&file_object(object.name), &object);
    const auto& names = key_names(object.name);
    EXPECT_EQ(names.size(), object.keys.size());
    EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size()) << object.name;
    for (const KeyInfo& key : object.keys) EXPECT_FALSE(key.help.empty()) << key.key;
  }
}

TEST(Keys, NameOnlyKeysAndObjectsThatThereAre) {
  std::set<std::string_view> objects;
  for (const ObjectInfo& object : file_objects()) objects.insert(object.name);
  for (const ObjectInfo& object : file_objects()) {
    const auto& names = key_names(object.name);
    const auto has = [&names](std::string_view key) {
      return std::find(names.begin(), names.end(), key) != names.end();
    };
    for (const KeyInfo& key : object.keys) {
      const bool of_objects = key.kind == KeyKind::object || key.kind == KeyKind::objects;
      EXPECT_EQ(objects.contains(key.object), of_objects) << key.key;
      EXPECT_EQ(key.kind == KeyKind::choice, !key.choices.empty()) << key.key;
      for (const std::string_view other : key.excludes) EXPECT_TRUE(has(other)) << other;
    }
    for (const auto& group : object.one_of)
      for (const std::string_view key : group) EXPECT_TRUE(has(key)) << key;
  }
}

TEST(Keys, OfADefinitionAreThoseThatItsNamesMayNotHave) {
  const auto& names = key_names("definition");
  EXPECT_TRUE(
      std::equal(names.begin(), names.end(), definition_keys.begin(), definition_keys.end()));
}

TEST(Keys, OfSeveralObjectsFollowOneAnother) {
  EXPECT_EQ(key_names_of({"integrator", "lane"}),
            (std::vector<std::string>{"type", "step", "name"}));
}

}  // namespace
}  // namespace twosphere::keys_test
