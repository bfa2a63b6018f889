// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/gltf.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

#include "core/base/build.h"

namespace twosphere {

namespace {

using json::Node;

// Numbers of the format.
constexpr int float_type = 5126, short_type = 5123, vertex_data = 34962, index_data = 34963,
              line_strip = 3;
constexpr std::uint32_t glb_magic = 0x46546c67, json_chunk = 0x4e4f534a, binary_chunk = 0x004e4942;

constexpr int sides = 24;  // of a surface of revolution

Node whole_number(std::size_t value) { return Node::whole(static_cast<std::int64_t>(value)); }
Node whole_number(int value) { return Node::whole(value); }

template <std::size_t N>
Node floats(const std::array<float, N>& values) {
  return Node::array(values, [](float x) { return static_cast<double>(x); });
}

/// Little-endian, as the format has all numbers.
void put(std::string& out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 255);
}
void put(std::string& out, float value) { put(out, std::bit_cast<std::uint32_t>(value)); }
void put(std::string& out, std::uint16_t value) {
  for (int shift = 0; shift < 16; shift += 8) out += static_cast<char>(value >> shift & 255);
}

void put_chunk(std::string& out, std::uint32_t kind, std::string_view bytes, char filling) {
  const std::size_t spare = (4 - bytes.size() % 4) % 4;
  put(out, static_cast<std::uint32_t>(bytes.size() + spare));
  put(out, kind);
  out += bytes;
  out.append(spare, filling);
}

Node node_at(std::string name, const GltfPlace& place) {
  Node node = Node::object();
  node.set("name", std::move(name));
  constexpr GltfPlace none;
  if (place.translation != none.translation) node.set("translation", floats(place.translation));
  if (place.rotation != none.rotation) node.set("rotation", floats(place.rotation));
  if (place.scale != none.scale) node.set("scale", floats(place.scale));
  return node;
}

}  // namespace

Result<void> check_gltf_nodes(const Geometry& geometry, std::size_t lanes) {
  const std::size_t links = geometry.links.size(),
                    bodies = geometry.arrows.empty() ? geometry.bodies.size() : 0,
                    moving = geometry.bending.empty()
                                 ? bodies + links + geometry.springs.size() +
                                       geometry.arrows.size() + geometry.frame.size()
                                 : 2 * links + 2,
                    mounts = geometry.fixed.size() + 3 * geometry.pivots.size() +
                             geometry.guides.size() +
                             (geometry.curves ? geometry.curves->size() : 0) +
                             (geometry.ellipsoid.isZero(0) ? 0 : 1) + 1,
                    nodes = 2 + mounts + lanes * (1 + moving);
  if (nodes <= max_gltf_nodes) return {};
  return Error{ErrorKind::usage, "",
               fmt::format("the run would be {} nodes of a glTF file, which has room for {}", nodes,
                           max_gltf_nodes)};
}

void add_revolution(std::span<const GltfRing> profile, GltfSurface& surface) {
  const std::size_t first = surface.points.size(), ring = sides + 1;
  for (const GltfRing& at : profile)
    for (int k = 0; k <= sides; ++k) {
      const double angle = 2 * std::numbers::pi * (k % sides) / sides, c = std::cos(angle),
                   s = std::sin(angle);
      const auto point = [&](double out, double up) {
        return std::array{static_cast<float>(out * c), static_cast<float>(up),
                          static_cast<float>(out * s)};
      };
      surface.points.push_back(point(at.radius, at.y));
      surface.normals.push_back(point(at.out, at.up));
    }
  const auto triangle = [&surface](std::size_t a, std::size_t b, std::size_t c) {
    for (const std::size_t i : {a, b, c}) surface.corners.push_back(static_cast<std::uint16_t>(i));
  };
  for (std::size_t i = 0; i + 1 < profile.size(); ++i)
    for (std::size_t k = 0; k < sides; ++k) {
      const std::size_t low = first + i * ring + k, high = low + ring;
      if (profile[i].radius > 0) triangle(low, high, low + 1);
      if (profile[i + 1].radius > 0) triangle(low + 1, high, high + 1);
    }
}

GltfFile::GltfFile(std::vector<float> times) : frames_(times.size()) {
  times_ = add<float>(times, "SCALAR", 1, 0, true);
}

template <class Number>
int GltfFile::add(std::span<const Number> numbers, std::string_view type, std::size_t each,
                  int target, bool bounds) {
  const std::size_t begin = binary_.size();
  for (const Number x : numbers) put(binary_, x);
  Node view = Node::object({{"buffer", whole_number(0)},
                            {"byteOffset", whole_number(begin)},
                            {"byteLength", whole_number(binary_.size() - begin)}});
  if (target != 0) view.set("target", whole_number(target));
  views_.items.push_back(std::move(view));
  binary_.append((4 - binary_.size() % 4) % 4, '\0');

  Node accessor =
      Node::object({{"bufferView", whole_number(views_.items.size() - 1)},
                    {"componentType", whole_number(sizeof(Number) == 2 ? short_type : float_type)},
                    {"count", whole_number(numbers.size() / each)},
                    {"type", type}});
  if (bounds) {
    Node least = Node::array(), largest = Node::array();
    for (std::size_t part = 0; part < each; ++part) {
      Number low = std::numeric_limits<Number>::max(), high = std::numeric_limits<Number>::lowest();
      for (std::size_t i = part; i < numbers.size(); i += each) {
        low = std::min(low, numbers[i]);
        high = std::max(high, numbers[i]);
      }
      least.items.emplace_back(static_cast<double>(low));
      largest.items.emplace_back(static_cast<double>(high));
    }
    accessor.set("min", std::move(least));
    accessor.set("max", std::move(largest));
  }
  accessors_.items.push_back(std::move(accessor));
  return static_cast<int>(accessors_.items.size()) - 1;
}

int GltfFile::surface(const GltfSurface& surface) {
  const auto flat = [](const std::vector<std::array<float, 3>>& list) {
    return std::span<const float>(list.empty() ? nullptr : list.front().data(), 3 * list.size());
  };
  Node attributes = Node::object(), primitive = Node::object();
  attributes.set("POSITION", whole_number(add(flat(surface.points), "VEC3", 3, vertex_data, true)));
  if (!surface.normals.empty())
    attributes.set("NORMAL",
                   whole_number(add(flat(surface.normals), "VEC3", 3, vertex_data, false)));
  primitive.set("attributes", std::move(attributes));
  if (surface.corners.empty())
    primitive.set("mode", whole_number(line_strip));
  else
    primitive.set("indices", whole_number(add<std::uint16_t>(surface.corners, "SCALAR", 1,
                                                             index_data, false)));
  primitives_.push_back(std::move(primitive));
  return static_cast<int>(primitives_.size()) - 1;
}

int GltfFile::material(Color color, float opacity) {
  const auto [found, fresh] =
      material_of_.try_emplace({color.rgb, opacity}, static_cast<int>(materials_.items.size()));
  if (!fresh) return found->second;
  Node factor = Node::array(linear_light(color)), material = Node::object();
  factor.items.emplace_back(static_cast<double>(opacity));
  material.set("pbrMetallicRoughness", Node::object({{"baseColorFactor", std::move(factor)},
                                                     {"metallicFactor", 0.0},
                                                     {"roughnessFactor", 0.5}}));
  if (opacity < 1) material.set("alphaMode", "BLEND");
  materials_.items.push_back(std::move(material));
  return found->second;
}

int GltfFile::mesh(const std::vector<std::pair<int, Color>>& parts, float opacity) {
  std::vector<std::pair<int, unsigned>> key;
  for (const auto& [surface, color] : parts) key.emplace_back(surface, color.rgb);
  const auto [found, fresh] =
      mesh_of_.try_emplace({key, opacity}, static_cast<int>(meshes_.items.size()));
  if (!fresh) return found->second;
  Node list = Node::array(), mesh = Node::object();
  for (const auto& [surface, color] : parts) {
    Node primitive = primitives_[static_cast<std::size_t>(surface)];
    primitive.set("material", whole_number(material(color, opacity)));
    list.items.push_back(std::move(primitive));
  }
  mesh.set("primitives", std::move(list));
  meshes_.items.push_back(std::move(mesh));
  return found->second;
}

int GltfFile::add_node(Node node, std::optional<int> parent) {
  const int number = static_cast<int>(nodes_.items.size());
  nodes_.items.push_back(std::move(node));
  Node* siblings = &roots_;
  if (parent) {
    Node& above = nodes_.items[static_cast<std::size_t>(*parent)];
    if (!above.find("children")) above.set("children", Node::array());
    siblings = above.find("children");
  }
  siblings->items.push_back(whole_number(number));
  return number;
}

int GltfFile::group(std::string name, const GltfPlace& place, std::optional<int> parent) {
  return add_node(node_at(std::move(name), place), parent);
}

void GltfFile::node(std::string name, int mesh, int parent, std::span<const GltfPlace> places) {
  Node node = node_at(std::move(name), places.front());
  node.set("mesh", whole_number(mesh));
  const int number = add_node(std::move(node), parent);
  if (places.size() < 2) return;
  animate(number, "translation", places, &GltfPlace::translation);
  animate(number, "rotation", places, &GltfPlace::rotation);
  animate(number, "scale", places, &GltfPlace::scale);
}

template <std::size_t N>
void GltfFile::animate(int node, std::string_view path, std::span<const GltfPlace> places,
                       std::array<float, N> GltfPlace::*member) {
  constexpr float rounding = 1e-6f;  // relative
  bool moves = false;
  std::vector<float> values;
  for (const GltfPlace& place : places)
    for (std::size_t i = 0; i < N; ++i) {
      const float value = (place.*member)[i], first = (places.front().*member)[i];
      values.push_back(value);
      moves = moves || std::abs(value - first) > rounding * std::abs(first);
    }
  if (!moves) return;
  add_channel(node, path, times_, add<float>(values, N == 4 ? "VEC4" : "VEC3", N, 0, false));
}

void GltfFile::turn(int node, const std::vector<float>& times,
                    std::span<const std::array<float, 4>> rotations) {
  const int input = add<float>(times, "SCALAR", 1, 0, true);
  const std::span<const float> numbers(rotations.front().data(), 4 * rotations.size());
  add_channel(node, "rotation", input, add<float>(numbers, "VEC4", 4, 0, false));
}

void GltfFile::add_channel(int node, std::string_view path, int input, int output) {
  channels_.items.push_back(
      Node::object({{"sampler", whole_number(samplers_.items.size())},
                    {"target", Node::object({{"node", whole_number(node)}, {"path", path}})}}));
  samplers_.items.push_back(Node::object({{"input", whole_number(input)},
                                          {"interpolation", "LINEAR"},
                                          {"output", whole_number(output)}}));
}

std::string GltfFile::bytes(const std::string& title) const {
  Node root = Node::object();
  root.one_line = true;
  root.set("asset", Node::object({{"version", "2.0"}, {"generator", program_version()}}));
  root.set("scene", whole_number(0));
  root.set("scenes", Node::array({Node::object({{"name", title}, {"nodes", roots_}})}));
  root.set("nodes", nodes_);
  root.set("meshes", meshes_);
  root.set("materials", materials_);
  root.set("accessors", accessors_);
  root.set("bufferViews", views_);
  Node buffer = Node::object();
  buffer.set("byteLength", whole_number(binary_.size()));
  root.set("buffers", Node::array({buffer}));
  if (!channels_.items.empty())
    root.set("animations",
             Node::array({Node::object(
                 {{"name", "motion"}, {"channels", channels_}, {"samplers", samplers_}})}));
  std::string out, chunks;
  put_chunk(chunks, json_chunk, json::write(root), ' ');
  put_chunk(chunks, binary_chunk, binary_, '\0');
  put(out, glb_magic);
  put(out, std::uint32_t{2});
  put(out, static_cast<std::uint32_t>(12 + chunks.size()));
  return out + chunks;
}

}  // namespace twosphere
