// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/orbit_family_record.h"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/exceptions.h"
#include "core/scenario/document.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

using document::Value;
using json::Node;

constexpr int numbers_of_pair = 7;

/// "branching", and in another direction than the first "branching:1".
std::string told_branch(const FamilyRequest& request) {
  std::string out(name(*request.branch));
  if (request.direction > 0) out += fmt::format(":{}", request.direction);
  return out;
}

/// What has to be the same for a family to be gone on with.
Node request_node(const FamilyRequest& request, const Scenario& scenario) {
  const bool of_setting = request.over == FamilyOver::parameter;
  return Node::object(
      {{"over", of_setting ? request.setting.text() : std::string(name(request.over))},
       {"to", request.to},
       {"above_rest", Node::truth(request.above_rest)},
       {"bifurcate", request.branch ? Node(told_branch(request)) : Node()},
       {"scenario", to_json(scenario)}});
}

Node stations_node(const std::vector<OrbitStation>& stations) {
  return Node::array(stations, [](const OrbitStation& one) {
    return Node::object({{"q", columns_document(one.state.q)},
                         {"omega", columns_document(one.state.w)},
                         {"step", Node::whole(one.step)}});
  });
}

Node point_node(const OrbitPoint& point) {
  return Node::object({{"q", columns_document(point.state.q)},
                       {"omega", columns_document(point.state.w)},
                       {"period", point.period},
                       {"rotation", point.rotation},
                       {"steps", Node::whole(point.steps)},
                       {"stations", stations_node(point.stations)},
                       {"parameter", point.parameter}});
}

Node member_node(const OrbitSolution& solution, double energy, double momentum,
                 double period_change, const std::optional<double>& start_change,
                 const OrbitMultipliers& multipliers) {
  Node pairs = Node::array();
  for (const MultiplierPair& pair : multipliers.pairs)
    pairs.items.push_back(Node::array(std::vector<double>{
        pair.first.real(), pair.first.imag(), pair.second.real(), pair.second.imag(),
        static_cast<double>(pair.kind), static_cast<double>(pair.krein), pair.rotation}));
  Node out = Node::object({{"point", point_node(solution.point)},
                           {"energy", energy},
                           {"momentum", momentum},
                           {"period_change", period_change},
                           {"residual", solution.residual},
                           {"growth", solution.growth},
                           {"gap", solution.gap},
                           {"pairs", std::move(pairs)},
                           {"pairing", multipliers.pairing},
                           {"determinant", multipliers.determinant},
                           {"flow_error", multipliers.flow_error}});
  if (multipliers.single.empty()) return out;
  out.set("single", Node::array(multipliers.single, [](const std::complex<double>& mu) {
            return Node::array(std::vector<double>{mu.real(), mu.imag()});
          }));
  out.set("trivial", Node::whole(static_cast<std::int64_t>(multipliers.trivial)));
  out.set("contraction", multipliers.contraction);
  if (start_change) out.set("start_change", *start_change);
  return out;
}

Node bifurcation_record(const Bifurcation& one) {
  const FamilyMember& at = one.at;
  return Node::object({{"kind", Node::whole(static_cast<std::int64_t>(one.kind))},
                       {"member", Node::whole(static_cast<std::int64_t>(one.member))},
                       {"at", member_node(at.solution, at.energy, at.momentum, at.period_change,
                                          at.start_change, at.multipliers)}});
}

Vec3 read_three(const Value& list) {
  list.expect(json::Kind::array);
  if (list.size() != 3) list.fail("must be three numbers");
  return {list.item(0).number(), list.item(1).number(), list.item(2).number()};
}

/// A number, which was written as null where it is none.
double number_or_none(const Value& value) {
  return value.kind() == json::Kind::null ? std::nan("") : value.number();
}

Columns read_columns(const Value& list, Eigen::Index bodies) {
  list.expect(json::Kind::array);
  if (static_cast<Eigen::Index>(list.size()) != bodies)
    list.fail(fmt::format("must have {} entries, not {}", bodies, list.size()));
  Columns out(3, bodies);
  for (Eigen::Index i = 0; i < bodies; ++i)
    out.col(i) = read_three(list.item(static_cast<std::size_t>(i)));
  return out;
}

OrbitPoint read_point(const Value& value, Eigen::Index bodies) {
  OrbitPoint out{
      {0, read_columns(value.member("q"), bodies), read_columns(value.member("omega"), bodies)},
      value.member("period").number(),
      value.member("rotation").number(),
      static_cast<int>(value.member("steps").whole(1, max_orbit_steps))};
  for (const Value& one : value.member("stations").items()) {
    const int before = out.stations.empty() ? 0 : out.stations.back().step;
    out.stations.push_back(
        {{0, read_columns(one.member("q"), bodies), read_columns(one.member("omega"), bodies)},
         static_cast<int>(one.member("step").whole(before + 1, out.steps - 1))});
  }
  out.parameter = value.member("parameter").number();
  return out;
}

FamilyMember read_member(const Value& value, Eigen::Index bodies) {
  value.expect(json::Kind::object);
  FamilyMember out;
  out.solution.point = read_point(value.member("point"), bodies);
  out.energy = value.member("energy").number();
  out.momentum = value.member("momentum").number();
  out.period_change = number_or_none(value.member("period_change"));
  out.solution.residual = value.member("residual").number();
  out.solution.growth = value.member("growth").number();
  out.solution.gap = number_or_none(value.member("gap"));
  for (const Value& one : value.member("pairs").items()) {
    one.expect(json::Kind::array);
    if (one.size() != numbers_of_pair) one.fail(fmt::format("must be {} numbers", numbers_of_pair));
    const auto number = [&](std::size_t i) { return one.item(i).number(); };
    constexpr auto kinds = static_cast<std::int64_t>(MultiplierKind::complex);
    MultiplierPair pair{{number(0), number(1)}, {number(2), number(3)}};
    pair.kind = static_cast<MultiplierKind>(one.item(4).whole(0, kinds));
    pair.krein = static_cast<int>(one.item(5).whole(-1, 1));
    pair.rotation = number(6);
    out.multipliers.pairs.push_back(pair);
  }
  out.multipliers.pairing = number_or_none(value.member("pairing"));
  out.multipliers.determinant = number_or_none(value.member("determinant"));
  out.multipliers.flow_error = number_or_none(value.member("flow_error"));
  const auto single = value.find("single");
  if (!single) return out;
  for (const Value& one : single->items()) {
    one.expect(json::Kind::array);
    if (one.size() != 2) one.fail("must be 2 numbers");
    out.multipliers.single.emplace_back(one.item(0).number(), one.item(1).number());
  }
  out.multipliers.trivial = static_cast<std::size_t>(
      value.member("trivial").whole(0, static_cast<std::int64_t>(single->size())));
  out.multipliers.contraction = number_or_none(value.member("contraction"));
  if (const auto change = value.find("start_change")) out.start_change = number_or_none(*change);
  return out;
}

Bifurcation read_bifurcation(const Value& value, Eigen::Index bodies, std::size_t members) {
  constexpr auto kinds = static_cast<std::int64_t>(BifurcationKind::torus);
  return {static_cast<BifurcationKind>(value.member("kind").whole(0, kinds)),
          read_member(value.member("at"), bodies),
          static_cast<std::size_t>(
              value.member("member").whole(0, static_cast<std::int64_t>(members)))};
}

/// A value of a request for messages.
std::string told(const Node& value) {
  if (value.kind == json::Kind::string) return value.text;
  if (value.kind == json::Kind::boolean) return value.boolean ? "above rest" : "total";
  return value.kind == json::Kind::number ? json::shortest(value.number) : "none";
}

void check_request(const Value& known, const std::string& file, const Node& asked) {
  known.expect(json::Kind::object);
  const auto refuse = [&](const std::string& why) {
    throw Failure({ErrorKind::usage, file, why + "; give another folder, or remove this one"});
  };
  for (const auto& [key, value] : asked.members) {
    const Node& before = known.member(key).node();
    if (json::same(before, value)) continue;
    if (key == "scenario") refuse("is the family of another orbit, or of other settings");
    refuse(fmt::format("has a family with another \"{}\": {}, not {}", key, told(before),
                       told(value)));
  }
}

KnownFamily read_known(const Value& root, const std::string& file, const FamilyRequest& request,
                       const Scenario& scenario) {
  root.expect(json::Kind::object);
  check_request(root.member("request"), file, request_node(request, scenario));
  const Eigen::Index bodies = scenario.q.cols();
  KnownFamily out;
  const Value axis = root.member("axis"), places = root.member("relabel"),
              members = root.member("members"), direction = root.member("direction");
  out.closure.axis = read_three(axis);
  for (const Value& place : places.items())
    out.closure.places.push_back(static_cast<int>(place.whole(0, bodies - 1)));
  if (!scenario.orbit || out.closure.places != scenario.orbit->places)
    places.fail("must be those of the orbit");
  if (members.expect(json::Kind::array).size() == 0) members.fail("must have at least one");
  if (members.size() > request.count)
    throw Failure({ErrorKind::usage, "count",
                   fmt::format("must be at least {}, the orbits that are there, not {}",
                               members.size(), request.count)});
  for (const Value& member : members.items())
    out.family.members.push_back(read_member(member, bodies));
  for (const Value& one : root.member("bifurcations").items())
    out.family.bifurcations.push_back(read_bifurcation(one, bodies, members.size()));
  const Value origin = root.member("origin");
  if (origin.kind() != json::Kind::null)
    out.origin = read_bifurcation(origin, bodies, std::size_t{1} << 30);
  if (const auto along = root.find("along")) out.along = along->text();
  out.family.reached = root.member("reached").truth();
  out.family.complete = root.member("complete").truth();
  out.family.closed = root.find("closed").has_value();
  out.family.end = root.member("end").text();
  if (direction.kind() != json::Kind::null) {
    const auto vector = [&](const Value& of) {
      return TangentVector{read_columns(of.member("q"), bodies),
                           read_columns(of.member("omega"), bodies)};
    };
    out.family.direction = {vector(direction), direction.member("period").number(),
                            direction.member("rotation").number(),
                            direction.member("parameter").number()};
    for (const Value& station : direction.member("stations").items())
      out.family.direction.stations.push_back(vector(station));
  }
  out.family.arc = root.member("arc").number();
  // Files of before have none.
  if (const auto doublings = root.find("doublings"))
    out.family.doublings = static_cast<int>(doublings->whole(0, max_member_doublings));
  if (!out.family.complete && !(out.family.arc > 0)) root.member("arc").fail("must be above 0");
  return out;
}

}  // namespace

std::string write_family_record(const FoundFamily& family, const FamilyRequest& request,
                                const Scenario& scenario) {
  const Closure& closure = family.members.front().closure;
  const Vec3 axis = closure.relative() ? closure.axis : Vec3::UnitZ();
  Node root = Node::object(
      {{"request", request_node(request, scenario)},
       {"axis", Node::numbers({closure.axis.data(), 3})},
       {"relabel", Node::array(closure.places, [](int place) { return Node::whole(place); })},
       {"reached", Node::truth(family.reached)},
       {"complete", Node::truth(family.complete)},
       {"end", family.end},
       {"arc", family.arc},
       {"doublings", Node::whole(family.doublings)},
       {"direction", Node()},
       {"origin", family.origin ? bifurcation_record(*family.origin) : Node()},
       {"bifurcations", Node::array(family.bifurcations, bifurcation_record)},
       {"members", Node::array(family.members, [&](const FoundOrbit& one) {
          const Orbit& orbit = one.orbit;
          return member_node(orbit.solution, orbit.energy, axis.dot(orbit.momentum),
                             orbit.period_change, orbit.start_change, orbit.multipliers);
        })}});
  if (family.closed) root.set("closed", Node::truth(true));
  if (!family.along.empty()) root.set("along", family.along);
  const OrbitDirection& direction = family.direction;
  if (direction.vector.q.cols() > 0)
    root.set("direction",
             Node::object({{"q", columns_document(direction.vector.q)},
                           {"omega", columns_document(direction.vector.w)},
                           {"period", direction.period},
                           {"rotation", direction.rotation},
                           {"parameter", direction.parameter},
                           {"stations", Node::array(direction.stations, [](const TangentVector& v) {
                              return start_document(v.q, v.w);
                            })}}));
  return json::write(root);
}

Result<KnownFamily> read_family_record(const std::string& text, const std::string& name,
                                       const FamilyRequest& request, const Scenario& scenario) {
  auto root = json::parse(text, name);
  if (!root) return root.error();
  const document::Origin source{name, nullptr};
  try {
    return read_known(Value(source, *root, ""), name, request, scenario);
  } catch (const Failure& failure) {
    return failure.error();
  }
}

}  // namespace twosphere
