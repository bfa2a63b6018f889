// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/vtk.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/build.h"
#include "core/base/json.h"
#include "core/base/xml.h"
#include "core/output/body_reading.h"

namespace twosphere {

namespace {

using json::shortest;

/// The points of a frame: first the bodies, then every other position once.
class Points {
 public:
  void add_body(const Vec3& position) {
    index_.emplace(key(position), list_.size()), list_.push_back(position);
  }
  std::size_t find(const Vec3& position) {
    const auto [found, fresh] = index_.emplace(key(position), list_.size());
    if (fresh) list_.push_back(position);
    return found->second;
  }
  const std::vector<Vec3>& list() const { return list_; }

 private:
  using Key = std::array<double, 3>;
  static Key key(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
  std::map<Key, std::size_t> index_;
  std::vector<Vec3> list_;
};

void append(std::string& out, const Vec3& v) {
  for (const double x : v) (out += shortest(x)) += ' ';
  out.back() = '\n';
}

std::string xml_opening() {
  return fmt::format("<?xml version=\"1.0\"?>\n<!-- {} -->\n", program_version());
}

std::string opening(std::string_view type, std::string_view name, int components) {
  std::string out = fmt::format("<DataArray type=\"{}\"", type);
  if (!name.empty()) out += fmt::format(" Name=\"{}\"", name);
  if (components > 1) out += fmt::format(" NumberOfComponents=\"{}\"", components);
  return out + " format=\"ascii\">\n";
}
constexpr std::string_view closing = "</DataArray>\n";

/// Cells with `each` points.
std::string cells(std::string_view kind, const std::vector<std::size_t>& points, std::size_t each) {
  std::string out = fmt::format("<{}>\n", kind) + opening("Int64", "connectivity", 1);
  for (const std::size_t p : points) out += fmt::format("{}\n", p);
  out += closing;
  out += opening("Int64", "offsets", 1);
  for (std::size_t end = each; end <= points.size(); end += each) out += fmt::format("{}\n", end);
  out += closing;
  return out + fmt::format("</{}>\n", kind);
}

}  // namespace

std::string vtk_frame(const System& system, const State& state) {
  const std::vector<BodyRecord> bodies = body_records(system, state);
  Geometry geometry;
  system.geometry(state, geometry);
  Points points;
  std::vector<std::size_t> vertices, lines;
  for (const BodyRecord& body : bodies) {
    vertices.push_back(vertices.size());
    points.add_body(body.position);
  }
  for (const Vec3& pivot : geometry.pivots) points.find(pivot);
  const auto line = [&](const Vec3& from, const Vec3& to) {
    lines.push_back(points.find(from));
    lines.push_back(points.find(to));
  };
  for (const Geometry::Link& l : geometry.links) line(l.from, l.to);
  for (const Geometry::Spring& s : geometry.springs) line(s.from, s.to);
  for (const Geometry::Arrow& a : geometry.arrows) line(a.from, a.to);
  for (const Geometry::Link& l : geometry.frame) line(l.from, l.to);

  const std::size_t count = points.list().size(), others = count - bodies.size();
  const auto vectors = [&](std::string_view name, Vec3 BodyRecord::*of) {
    std::string out = opening("Float64", name, 3);
    for (const BodyRecord& body : bodies) append(out, body.*of);
    for (std::size_t i = 0; i < others; ++i) out += "0 0 0\n";
    return out += closing;
  };
  std::string out =
      xml_opening() +
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n"
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">\n";
  out += shortest(state.t);
  out += '\n';
  out += closing;
  out += fmt::format(
      "</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" "
      "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
      count, vertices.size(), lines.size() / 2);
  const bool kinetic = !first_order(system);
  out += fmt::format("<PointData Scalars=\"{}\" Vectors=\"velocity\">\n",
                     kinetic ? "kinetic_energy" : "body");
  out += opening("Int32", "body", 1);
  for (std::size_t i = 0; i < count; ++i)
    out += i < bodies.size() ? fmt::format("{}\n", i) : std::string("-1\n");
  out += closing;
  out += vectors("q", &BodyRecord::q);
  out += vectors("omega", &BodyRecord::omega);
  out += vectors("velocity", &BodyRecord::velocity);
  if (kinetic) {
    out += opening("Float64", "kinetic_energy", 1);
    for (const BodyRecord& body : bodies) (out += shortest(body.kinetic)) += '\n';
    for (std::size_t i = 0; i < others; ++i) out += "0\n";
    out += closing;
  }
  out += "</PointData>\n<Points>\n";
  out += opening("Float64", "", 3);
  for (const Vec3& point : points.list()) append(out, point);
  out += closing;
  out += "</Points>\n";
  out += cells("Verts", vertices, 1);
  out += cells("Lines", lines, 2);
  return out + "</Piece>\n</PolyData>\n</VTKFile>\n";
}

VtkSeries::VtkSeries(AtomicFile index, AtomicFolder files, std::string name)
    : index_(std::move(index)), files_(std::move(files)), name_(std::move(name)) {}

Result<VtkSeries> VtkSeries::open(const std::string& path) {
  const std::string directory = folder(path);
  const std::string name = std::filesystem::path(directory).filename().string();
  if (xml_characters(name) != name)
    return Error{
        ErrorKind::usage, json::plain(path),
        "the index cannot name the folder, because it is XML: a name must be UTF-8 without "
        "control characters; choose another"};
  auto index = AtomicFile::open(path);
  if (!index) return index.error();
  auto files = AtomicFolder::open(directory, [name](std::string_view file) {
    constexpr std::size_t digits = 6;
    const std::string before = name + '_';
    if (!file.starts_with(before) || !file.ends_with(".vtp")) return false;
    file = file.substr(before.size(), file.size() - before.size() - 4);
    return file.size() >= digits && file.find_first_not_of("0123456789") == file.npos;
  });
  if (!files) return files.error();
  VtkSeries series(std::move(*index), std::move(*files), name);
  series.index_.write(xml_opening() +
                      "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
                      "<Collection>\n");
  return series;
}

void VtkSeries::frame(const System& system, const State& state) {
  if (failure_) return;
  const std::string file = fmt::format("{}_{:06}.vtp", name_, count_++);
  if (auto written = files_.write(file, vtk_frame(system, state)); !written)
    failure_ = written.error();
  index_.write(fmt::format("<DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}\"/>\n",
                           shortest(state.t), xml_text(name_ + '/' + file)));
}

Result<void> VtkSeries::commit() {
  if (failure_) return *failure_;
  index_.write("</Collection>\n</VTKFile>\n");
  if (auto done = files_.commit(); !done) return done;
  return index_.commit();
}

}  // namespace twosphere
