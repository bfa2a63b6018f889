// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/vtk.h"

#include <gtest/gtest.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "core/catalog.h"
#include "core/output/body_reading.h"
#include "core/run/simulation.h"
#include "tests/outcome.h"
#include "tests/runs.h"
#include "tests/temporary_folder.h"

namespace twosphere::vtk_test {
namespace {

using test::error_of, test::says, test::value_of;

namespace fs = std::filesystem;
using boost::property_tree::ptree;

Simulation simulation(std::string_view preset) { return test::start(test::preset(preset)); }

ptree xml(const std::string& text) {
  std::istringstream stream(text);
  ptree tree;
  boost::property_tree::read_xml(stream, tree);
  return tree;
}

/// The numbers of a data array, bit for bit.
std::vector<double> numbers(const ptree& data) {
  std::istringstream stream(data.data());
  std::vector<double> list;
  for (std::string word; stream >> word;) {
    double value = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
    EXPECT_TRUE(read.ec == std::errc{} && read.ptr == word.data() + word.size()) << word;
    list.push_back(value);
  }
  return list;
}

std::vector<double> array(const ptree& section, const std::string& name) {
  for (const auto& [key, node] : section)
    if (key == "DataArray" && node.get<std::string>("<xmlattr>.Name", "") == name)
      return numbers(node);
  ADD_FAILURE() << "no array " << name;
  return {};
}

std::vector<double> column(const Columns& of, Eigen::Index i) {
  return {of(0, i), of(1, i), of(2, i)};
}
std::vector<double> entry(const std::vector<double>& of, std::size_t i) {
  return {of[3 * i], of[3 * i + 1], of[3 * i + 2]};
}

struct VtkTest : testing::Test {
  std::string in(const std::string& name) const { return folder_.in(name); }
  std::string text(const std::string& name) const {
    return value_of(read_file(in(name), std::size_t{1} << 24));
  }
  const test::TemporaryFolder folder_;
};

TEST_F(VtkTest, EveryPresetHasItsBodiesToTheLastDigit) {
  for (const Preset& preset : presets()) {
    SCOPED_TRACE(preset.key);
    Simulation s = simulation(preset.key);
    for (int i = 0; i < 3; ++i) ASSERT_FALSE(s.step());
    const State& state = s.state(0);
    const auto n = static_cast<std::size_t>(state.size());
    const ptree tree = xml(vtk_frame(*s.system(), state));
    EXPECT_EQ(tree.get<std::string>("VTKFile.<xmlattr>.type"), "PolyData");
    const ptree& piece = tree.get_child("VTKFile.PolyData.Piece");
    const auto points = piece.get<std::size_t>("<xmlattr>.NumberOfPoints");
    EXPECT_EQ(piece.get<std::size_t>("<xmlattr>.NumberOfVerts"), n);
    EXPECT_GE(points, n);
    EXPECT_EQ(array(tree.get_child("VTKFile.PolyData.FieldData"), "TimeValue"),
              std::vector<double>{state.t});

    const ptree& data = piece.get_child("PointData");
    const auto body = array(data, "body"), q = array(data, "q"), omega = array(data, "omega"),
               velocity = array(data, "velocity"),
               place = numbers(piece.get_child("Points.DataArray"));
    for (const auto* list : {&q, &omega, &velocity, &place}) ASSERT_EQ(list->size(), 3 * points);
    const bool has_energy = !first_order(*s.system());
    const std::string scalars = data.get<std::string>("<xmlattr>.Scalars");
    EXPECT_EQ(scalars, has_energy ? "kinetic_energy" : "body");
    EXPECT_EQ(data.count("DataArray"), has_energy ? 5U : 4U);
    const auto energy = has_energy ? array(data, scalars) : std::vector<double>(points);
    ASSERT_EQ(energy.size(), points);
    Geometry geometry;
    s.system()->geometry(state, geometry);
    double sum = state.v.cols() == 0 ? 0 : s.system()->free_base()->kinetic_energy(state.v);
    for (std::size_t i = 0; i < n; ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      EXPECT_EQ(body[i], static_cast<double>(i));
      EXPECT_EQ(entry(q, i), column(state.q, k));
      EXPECT_EQ(entry(omega, i), column(state.w, k));
      const Vec3& there = geometry.bodies[i].position;
      EXPECT_EQ(entry(place, i), (std::vector<double>{there.x(), there.y(), there.z()}));
      sum += energy[i];
    }
    for (std::size_t i = n; i < points; ++i) EXPECT_EQ(body[i], -1);
    const double kinetic = s.sample(0)[Quantity::kinetic_energy];
    EXPECT_NEAR(sum, kinetic, 1e-12 * std::abs(kinetic));

    const auto lines = array(piece.get_child("Lines"), "connectivity"),
               ends = array(piece.get_child("Lines"), "offsets");
    EXPECT_EQ(ends.size(), geometry.links.size() + geometry.springs.size() +
                               geometry.arrows.size() + geometry.frame.size());
    EXPECT_EQ(lines.size(), 2 * ends.size());
    for (std::size_t i = 0; i < geometry.links.size(); ++i) {
      const auto from = entry(place, static_cast<std::size_t>(lines[2 * i]));
      EXPECT_EQ(Vec3(from[0], from[1], from[2]), geometry.links[i].from);
      const auto to = entry(place, static_cast<std::size_t>(lines[2 * i + 1]));
      EXPECT_EQ(Vec3(to[0], to[1], to[2]), geometry.links[i].to);
    }
  }
}

TEST_F(VtkTest, VelocitiesAreThoseOfTheFigure) {
  for (const Preset& preset : presets()) {
    SCOPED_TRACE(preset.key);
    Simulation s = simulation(preset.key);
    const State& state = s.state(0);
    Columns turn(3, state.q.cols());
    for (Eigen::Index i = 0; i < state.q.cols(); ++i)
      turn.col(i) = state.w.col(i).cross(state.q.col(i));
    constexpr double e = 1e-4;
    Geometry before, after;
    s.system()->geometry(state.q - e * turn, before);
    s.system()->geometry(state.q + e * turn, after);
    const auto bodies = body_records(*s.system(), state);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Vec3 difference = (after.bodies[i].position - before.bodies[i].position) / (2 * e);
      EXPECT_LT((bodies[i].velocity - difference).norm(), 1e-9 * (1 + difference.norm())) << i;
    }
  }
}

TEST_F(VtkTest, TheIndexHasTheTimesAndTheFiles) {
  Simulation s = simulation("pendulum_network");
  auto series = value_of(VtkSeries::open(in("a & b.pvd")));
  std::vector<double> times, first;
  for (int k = 0; k < 4; ++k) {
    series.frame(*s.system(), s.state(0));
    times.push_back(s.time());
    first.push_back(s.state(0).q(0, 0));
    for (int i = 0; i < 3; ++i) ASSERT_FALSE(s.step());
  }
  EXPECT_FALSE(fs::exists(in("a & b")));
  EXPECT_FALSE(fs::exists(in("a & b.pvd")));
  ASSERT_TRUE(series.commit());
  const ptree tree = xml(text("a & b.pvd"));
  EXPECT_EQ(tree.get<std::string>("VTKFile.<xmlattr>.type"), "Collection");
  std::size_t k = 0;
  for (const auto& [key, node] : tree.get_child("VTKFile.Collection")) {
    if (key != "DataSet") continue;
    ASSERT_LT(k, times.size());
    double t = 0;
    const auto said = node.get<std::string>("<xmlattr>.timestep");
    std::from_chars(said.data(), said.data() + said.size(), t);
    EXPECT_EQ(t, times[k]);
    const auto file = node.get<std::string>("<xmlattr>.file");
    EXPECT_EQ(file, "a & b/a & b_00000" + std::to_string(k) + ".vtp");
    const ptree frame = xml(text(file));
    EXPECT_EQ(array(frame.get_child("VTKFile.PolyData.Piece.PointData"), "q")[0], first[k]);
    ++k;
  }
  EXPECT_EQ(k, 4u);
  EXPECT_EQ(std::distance(fs::directory_iterator(in("a & b")), fs::directory_iterator()), 4);
}

TEST_F(VtkTest, TheIndexHasAnyNameThatXmlCanHold) {
  Simulation s = simulation("pendulum_network");
  const std::string name = "a\n\"b\"\t<é>";
  auto series = value_of(VtkSeries::open(in(name + ".pvd")));
  series.frame(*s.system(), s.state(0));
  ASSERT_TRUE(series.commit());
  const ptree tree = xml(text(name + ".pvd"));
  EXPECT_EQ(tree.get<std::string>("VTKFile.Collection.DataSet.<xmlattr>.file"),
            name + "/" + name + "_000000.vtp");
  for (const char* wrong : {"a\x01", "a\xff"}) {
    const Error refused = error_of(VtkSeries::open(in(std::string(wrong) + ".pvd")));
    EXPECT_EQ(refused.kind, ErrorKind::usage);
    EXPECT_TRUE(says(refused.message, "must be UTF-8 without control characters"));
  }
}

TEST_F(VtkTest, ReplacesAnEarlierSeriesAtTheEndOnly) {
  Simulation s = simulation("three_body");
  const auto write = [&](int frames, bool whole) {
    auto series = value_of(VtkSeries::open(in("out.pvd")));
    for (int k = 0; k < frames; ++k) series.frame(*s.system(), s.state(0));
    if (whole) {
      ASSERT_TRUE(series.commit());
    }
  };
  const auto files = [&] {
    return std::distance(fs::directory_iterator(in("out")), fs::directory_iterator());
  };
  write(3, true);
  const std::string index = text("out.pvd");
  write(2, false);
  EXPECT_EQ(files(), 3);
  EXPECT_EQ(text("out.pvd"), index);
  write(2, true);
  EXPECT_EQ(files(), 2);
  EXPECT_EQ(folder_.count(), 2u);
  ASSERT_TRUE(write_file(in("out/other_000000.vtp"), "mine"));
  EXPECT_FALSE(VtkSeries::open(in("out.pvd")));
}

}  // namespace
}  // namespace twosphere::vtk_test
