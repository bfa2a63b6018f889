// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/gltf.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/outcome.h"

// Whole files are read by tests/python/test_gltf.py.
namespace twosphere::gltf_test {
namespace {

using json::Node;
using test::error_of, test::says, test::value_of;

std::uint32_t number(const std::string& bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < 4; ++i)
    out |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << 8 * i;
  return out;
}

/// The document of a file, whose chunks must fill it.
Node document(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(0, 4), "glTF");
  EXPECT_EQ(number(bytes, 4), 2u);
  EXPECT_EQ(number(bytes, 8), bytes.size());
  const std::size_t length = number(bytes, 12);
  EXPECT_EQ(bytes.substr(16, 4), "JSON");
  EXPECT_EQ(20 + length + 8 + number(bytes, 20 + length), bytes.size());
  EXPECT_EQ(bytes.substr(24 + length, 4), std::string("BIN\0", 4));
  return value_of(json::parse(bytes.substr(20, length), "file"));
}

std::size_t count(const Node& document, const char* list) {
  const Node* found = document.find(list);
  return found ? found->items.size() : 0;
}

/// A disc above the plane y = 0.
GltfSurface disc() {
  GltfSurface out;
  add_revolution(std::array<GltfRing, 2>{{{1, 0, 0, 1}, {0, 0, 0, 1}}}, out);
  return out;
}

TEST(Gltf, OfTheSameColoursIsOneMesh) {
  GltfFile file({0});
  const int a = file.surface(disc()), b = file.surface(disc());
  const Color red{0xff0000}, blue{0xff};
  const int one = file.mesh({{a, red}, {b, blue}});
  EXPECT_EQ(file.mesh({{a, red}, {b, blue}}), one);
  EXPECT_NE(file.mesh({{a, red}}), one);
  EXPECT_NE(file.mesh({{a, red}, {b, blue}}, 0.5f), one);
  const Node out = document(file.bytes("t"));
  EXPECT_EQ(count(out, "meshes"), 3u);
  EXPECT_EQ(count(out, "materials"), 4u) << "red and blue, each also translucent";
}

TEST(Gltf, OnlyWhatChangesIsAnimated) {
  GltfFile file({0, 0.5f, 1});
  const int mesh = file.mesh({{file.surface(disc()), {0xffffff}}}), root = file.group("root", {});
  const std::array<GltfPlace, 3> rests{},
      moves{GltfPlace{}, GltfPlace{.translation = {0, 1, 0}}, GltfPlace{.translation = {0, 2, 0}}};
  file.node("rests", mesh, root, rests);
  file.node("moves", mesh, root, moves);
  const Node out = document(file.bytes("t"));
  ASSERT_EQ(count(out, "animations"), 1u);
  const Node& channels = *out.find("animations")->items[0].find("channels");
  ASSERT_EQ(channels.items.size(), 1u);
  EXPECT_EQ(channels.items[0].find("target")->find("node")->number, 2);
  EXPECT_EQ(channels.items[0].find("target")->find("path")->text, "translation");
  const Node& nodes = *out.find("nodes");
  EXPECT_EQ(nodes.items[0].find("children")->items.size(), 2u);
}

TEST(Gltf, TurnsANodeAtTimesOfItsOwn) {
  GltfFile file({0, 1});
  const int root = file.group("root", {});
  const std::array<std::array<float, 4>, 3> rotations{
      {{0, 0, 0, 1}, {0, 0.6f, 0, 0.8f}, {0, 1, 0, 0}}};
  file.turn(root, {0, 0.25f, 1}, rotations);
  const Node out = document(file.bytes("t"));
  const Node& motion = out.find("animations")->items[0];
  ASSERT_EQ(count(motion, "channels"), 1u);
  EXPECT_EQ(motion.find("channels")->items[0].find("target")->find("path")->text, "rotation");
  const Node& sampler = motion.find("samplers")->items[0];
  const auto accessor = [&](const char* key) -> const Node& {
    return out.find("accessors")->items[static_cast<std::size_t>(sampler.find(key)->number)];
  };
  EXPECT_EQ(accessor("input").find("count")->number, 3);
  EXPECT_EQ(accessor("input").find("max")->items[0].number, 1);
  EXPECT_EQ(accessor("output").find("type")->text, "VEC4");
  EXPECT_EQ(accessor("output").find("count")->number, 3);
}

TEST(Gltf, OfOneFrameRests) {
  GltfFile file({0});
  const int mesh = file.mesh({{file.surface(disc()), {0xffffff}}});
  file.node("a", mesh, file.group("root", {}), std::array<GltfPlace, 1>{});
  EXPECT_EQ(document(file.bytes("t")).find("animations"), nullptr);
}

TEST(Gltf, RevolutionsCloseAndLookOutwards) {
  const GltfSurface above = disc();
  ASSERT_EQ(above.points.size(), above.normals.size());
  EXPECT_EQ(above.points.front(), above.points[24]);
  const auto at = [&](std::size_t i) {
    const auto& p = above.points[above.corners[i]];
    return Vec3(static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2]));
  };
  for (std::size_t i = 0; i < above.corners.size(); i += 3)
    EXPECT_GT((at(i + 1) - at(i)).cross(at(i + 2) - at(i)).y(), 0);
}

TEST(Gltf, HasRoomForSoManyNodes) {
  Geometry geometry;
  geometry.bodies.resize(1900);
  EXPECT_TRUE(check_gltf_nodes(geometry, 1));
  const Error error = error_of(check_gltf_nodes(geometry, 2));
  EXPECT_EQ(error.kind, ErrorKind::usage);
  EXPECT_TRUE(says(error.message, "3805 nodes"));
  EXPECT_TRUE(says(error.message, "2000"));
}

}  // namespace
}  // namespace twosphere::gltf_test
