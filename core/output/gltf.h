// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/color/color.h"
#include "core/mechanics/system.h"

/// Files in the binary form of glTF 2.0 (.glb, ISO/IEC 12113): solids that move, for programs that
/// draw. Only what the core of the format has.
namespace twosphere {

/// The most nodes of a file: more slow down the programs that read it.
inline constexpr std::size_t max_gltf_nodes = 2000;
/// Fails if a run of such a system, with its root, what does not move, and the parts of each lane,
/// may take more of them.
Result<void> check_gltf_nodes(const Geometry& geometry, std::size_t lanes);

/// A surface of triangles, counterclockwise from outside, with a unit normal at each vertex. One
/// without triangles is a curve through its points.
struct GltfSurface {
  std::vector<std::array<float, 3>> points, normals{};
  std::vector<std::uint16_t> corners{};  ///< three of each triangle
};
/// A circle about the y axis, and the normal of a surface there: its parts away from the axis and
/// along it.
struct GltfRing {
  double radius, y, out, up;
};
/// Adds the surface of revolution about the y axis through these circles. They lie in the order in
/// which the outside is to the right of the profile in the plane of radius and y: upwards on a
/// side, away from the axis on a lower end, towards it on an upper end.
void add_revolution(std::span<const GltfRing> profile, GltfSurface& surface);

/// How a node lies in its parent: scaled, then turned, then moved.
struct GltfPlace {
  std::array<float, 3> translation{0, 0, 0};
  std::array<float, 4> rotation{0, 0, 0, 1};  ///< a unit quaternion x, y, z, w
  std::array<float, 3> scale{1, 1, 1};
};

/// Collects a file. What is added is known by its number, from 0.
class GltfFile {
 public:
  /// `times`: of the frames [s], from 0 or later, ascending. With one frame nothing moves.
  explicit GltfFile(std::vector<float> times);

  int surface(const GltfSurface& surface);
  /// The mesh with these surfaces in these colours; the same as before if there is one. `opacity`
  /// below 1 is translucent.
  int mesh(const std::vector<std::pair<int, Color>>& parts, float opacity = 1);
  /// A node without a mesh.
  int group(std::string name, const GltfPlace& place, std::optional<int> parent = {});
  /// A node with a mesh, and where it lies at each frame, or at all of them. Translation, rotation
  /// and scale are animated where they change, linearly between frames.
  void node(std::string name, int mesh, int parent, std::span<const GltfPlace> places);
  /// Turns a node at times of its own, which ascend within those of the frames: at each it has this
  /// rotation, and between them, along the shortest way, turns at a constant rate.
  void turn(int node, const std::vector<float>& times,
            std::span<const std::array<float, 4>> rotations);

  /// The file. `title` names its scene.
  std::string bytes(const std::string& title) const;

 private:
  /// Adds numbers of one kind; returns their accessor.
  template <class Number>
  int add(std::span<const Number> numbers, std::string_view type, std::size_t each, int target,
          bool bounds);
  int material(Color color, float opacity);
  int add_node(json::Node node, std::optional<int> parent);
  void add_channel(int node, std::string_view path, int input, int output);
  template <std::size_t N>
  void animate(int node, std::string_view path, std::span<const GltfPlace> places,
               std::array<float, N> GltfPlace::*member);

  std::size_t frames_;
  std::string binary_;
  json::Node accessors_ = json::Node::array(), views_ = json::Node::array(),
             materials_ = json::Node::array(), meshes_ = json::Node::array(),
             nodes_ = json::Node::array(), samplers_ = json::Node::array(),
             channels_ = json::Node::array(), roots_ = json::Node::array();
  std::vector<json::Node> primitives_;  // of each surface, without its material
  std::map<std::pair<unsigned, float>, int> material_of_;
  std::map<std::pair<std::vector<std::pair<int, unsigned>>, float>, int> mesh_of_;
  int times_ = 0;  // accessor
};

}  // namespace twosphere
