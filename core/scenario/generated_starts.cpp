// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/generated_starts.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>

#include "core/base/philox.h"
#include "core/catalog.h"
#include "core/custom/definition.h"
#include "core/scenario/file_limits.h"
#include "core/scenario/icosphere.h"
#include "core/scenario/keys.h"
#include "core/scenario/parameter_io.h"
#include "core/systems/site_lattice.h"

namespace twosphere {

using document::Value;
using json::shortest;

namespace {

constexpr double one_degree = std::numbers::pi / 180;

/// The direction at the angle θ from e3 and φ about it.
Vec3 direction_at(double theta, double phi) {
  return {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
}

/// Random numbers, a function of the seed and the index.
struct Draw {
  std::uint64_t seed;
  std::uint32_t stream;  // so that numbers for different ends differ

  PhiloxCounter counter(std::size_t i) const {
    return {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32U), stream, 0};
  }
  /// Uniform on the sphere.
  Vec3 direction(std::size_t i) const {
    const auto [u, v] = uniform_numbers(counter(i), seed);
    return direction_at(std::acos(1 - 2 * u), 2 * std::numbers::pi * v);
  }
  /// Turned from e3 about an axis ⟂ e3 by a vector of angles, normal with this deviation.
  Vec3 near_e3(std::size_t i, double deviation) const {
    const auto normal = normal_numbers(counter(i), seed);
    return direction_at(deviation * std::hypot(normal[0], normal[1]),
                        std::atan2(normal[1], normal[0]));
  }
};

double number_or(const Value& from, std::string_view key, std::string_view unit, double otherwise) {
  const auto given = from.find(key);
  return given ? given->number(unit) : otherwise;
}
Vec3 unit_vector_or(const Value& from, std::string_view key, const Vec3& otherwise) {
  const auto given = from.find(key);
  if (!given) return otherwise;
  const Vec3 v = read_vector(*given, "1");
  if (v.isZero(0)) given->fail("must not be the zero vector");
  return v.stableNormalized();
}
std::uint64_t seed_of(const Value& from) {
  const auto given = from.find("seed");
  return given ? static_cast<std::uint64_t>(given->whole(0)) : 0;
}

/// One generator for the bodies that are known.
class Generator {
 public:
  Generator(const Value& from, const KnownBodies& known) : from_(from), known_(known) {}

  Columns make(std::string_view type) const {
    if (type == "icosphere") return icosphere_vertices();
    if (type == "random") return random();
    if (type == "aligned") return aligned();
    if (type == "spiral") return spiral();
    if (type == "domain_wall") return domain_wall();
    if (type == "soliton") return soliton();
    if (type == "skyrmion") return skyrmion();
    if (type == "polygon") return polygon();
    if (type == "clusters") return clusters();
    return noise();
  }

 private:
  /// q_i = of(i) for this many bodies.
  template <class Direction>
  static Columns each(int count, const Direction& of) {
    Columns q(3, count);
    for (Eigen::Index i = 0; i < q.cols(); ++i) q.col(i) = of(i);
    return q;
  }
  int own_count() const { return static_cast<int>(from_.member("count").whole(1, max_sites)); }
  int count() const {
    if (known_.count) return *known_.count;
    from_.fail(
        "the number of bodies is not known: the system has no lattice of spins, positions, or list "
        "with a number for each body");
  }
  const Columns& places() const {
    if (known_.places) return *known_.places;
    from_.fail("needs the places of the bodies: a lattice of spins, positions or pivots");
  }

  Columns icosphere_vertices() const {
    return icosphere(static_cast<int>(from_.member("subdivisions").whole(0, max_subdivisions)))
        .vertices;
  }

  Columns random() const {
    const Draw draw{seed_of(from_), 1};
    const int n = from_.find("count") || !known_.count ? own_count() : count();
    return each(n, [&](Eigen::Index i) { return draw.direction(static_cast<std::size_t>(i)); });
  }

  Columns aligned() const {
    const Vec3 direction = unit_vector_or(from_, "direction", Vec3(0, 0, 1));
    return each(count(), [&](Eigen::Index) { return direction; });
  }

  /// q = cos γ n + sin γ [cos(k·x) u + sin(k·x) v], and γ e^(−|x − c|²/2w²) for γ in a packet.
  Columns spiral() const {
    const Vec3 k = read_vector(from_.member("wave_vector"), "1/m"),
               axis = unit_vector_or(from_, "axis", Vec3(0, 0, 1));
    const double cone = number_or(from_, "cone", "deg", 90) * one_degree;
    const auto width = from_.find("width"), center = from_.find("center");
    if (center && !width) center->fail("of a packet needs its width");
    const double w = width ? width->positive("m") : 0;
    const Vec3 c = center ? read_vector(*center, "m") : Vec3(Vec3::Zero());
    const auto basis = tangent_basis(axis);
    const Columns& x = places();
    return each(static_cast<int>(x.cols()), [&](Eigen::Index i) -> Vec3 {
      const double phase = k.dot(x.col(i)),
                   angle =
                       width ? cone * std::exp(-(x.col(i) - c).squaredNorm() / (2 * w * w)) : cone;
      return std::cos(angle) * axis +
             std::sin(angle) * (std::cos(phase) * basis.col(0) + std::sin(phase) * basis.col(1));
    });
  }

  /// cos θ = −tanh((x − x₀)/w) along the axis.
  Columns domain_wall() const {
    const Vec3 axis = unit_vector_or(from_, "axis", Vec3(1, 0, 0));
    const double position = from_.member("position").number("m"),
                 width = from_.member("width").positive("m"),
                 azimuth = number_or(from_, "azimuth", "deg", 0) * one_degree;
    const Columns& x = places();
    return each(static_cast<int>(x.cols()), [&](Eigen::Index i) {
      const double along = (axis.dot(x.col(i)) - position) / width;
      return direction_at(2 * std::atan(std::exp(along)), azimuth);
    });
  }

  /// cos θ = 1 − 2(1 − v²/4w) sech²(βx), φ = ½vx + atan(√(4w/v² − 1) tanh βx), β² = w − v²/4.
  Columns soliton() const {
    const double position = from_.member("position").number("1"), v = from_.member("v").number("1"),
                 w = from_.member("w").positive("1"), square = w - v * v / 4;
    if (!(square > 0))
      from_.member("w").fail(
          fmt::format("must be greater than v²/4 = {}, not {}", shortest(v * v / 4), shortest(w)));
    const double beta = std::sqrt(square);
    return each(count(), [&](Eigen::Index i) {
      const double x = static_cast<double>(i) - position;
      // sin² ½θ = (1 − v²/4w) sech² βx
      const double half = std::sqrt(square / w) / std::cosh(beta * x);
      const double phi = v * x / 2 + std::atan2(2 * beta * std::tanh(beta * x), v);
      return direction_at(2 * std::asin(half < 1 ? half : 1.0), phi);
    });
  }

  /// tan ½θ = (R/r) e^(1 − r/R), φ = −Q (angle about the centre) + helicity.
  Columns skyrmion() const {
    const Value center = from_.member("center").list_of(2, "2 numbers");
    const double cx = center.item(0).number("m"), cy = center.item(1).number("m"),
                 radius = from_.member("radius").positive("m"),
                 helicity = number_or(from_, "helicity", "deg", 0) * one_degree;
    std::int64_t charge = -1;
    if (const auto given = from_.find("charge")) {
      charge = given->whole(-max_charge, max_charge);
      if (charge == 0) given->fail("must not be 0");
    }
    const Columns& x = places();
    return each(static_cast<int>(x.cols()), [&](Eigen::Index i) {
      const double dx = x(0, i) - cx, dy = x(1, i) - cy, r = std::hypot(dx, dy) / radius;
      return direction_at(2 * std::atan2(std::exp(1 - r), r),
                          helicity - static_cast<double>(charge) * std::atan2(dy, dx));
    });
  }

  Columns polygon() const {
    const int n = own_count();
    const double theta = from_.member("colatitude").number("deg") * one_degree,
                 first = number_or(from_, "azimuth", "deg", 0) * one_degree;
    return each(n, [&](Eigen::Index i) {
      return direction_at(theta, first + 2 * std::numbers::pi * static_cast<double>(i) / n);
    });
  }

  Columns clusters() const {
    const int n = own_count();
    const std::int64_t groups = from_.member("clusters").whole(1, n);
    const double width = from_.member("width").positive("deg") * one_degree;
    const Draw centers{seed_of(from_), 2}, about{seed_of(from_), 3};
    return each(n, [&](Eigen::Index i) {
      const auto body = static_cast<std::size_t>(i),
                 group = body * static_cast<std::size_t>(groups) / static_cast<std::size_t>(n);
      return carried(Vec3(0, 0, 1), centers.direction(group), about.near_e3(body, width));
    });
  }

  Columns noise() const {
    const double amplitude = from_.member("amplitude").number("rad");
    if (amplitude < 0)
      from_.member("amplitude")
          .fail(fmt::format("must be 0 or greater, not {}", shortest(amplitude)));
    const Draw draw{seed_of(from_), 4};
    return each(count(), [&](Eigen::Index i) {
      return draw.near_e3(static_cast<std::size_t>(i), amplitude);
    });
  }

  static constexpr std::int64_t max_charge = 100;

  const Value& from_;
  const KnownBodies& known_;
};

Columns generated_by(const Value& generator, const KnownBodies& known) {
  if (generator.kind() != json::Kind::object) generator.wrong_kind("an object with a type");
  const auto& types = generator_names();
  const std::string_view type = types[generator.member("type").choice(
      document::Names(types.begin(), types.end()), "generator")];
  generator.object(key_names(type));
  return Generator(generator, known).make(type);
}

/// Reads a list of points; none if it is not one, such as one point for all bodies.
std::optional<Columns> points_in(const Value& list) {
  if (list.kind() != json::Kind::array || list.size() == 0) return {};
  if (list.item(0).kind() != json::Kind::array) return {};
  Columns points(3, static_cast<Eigen::Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i)
    points.col(static_cast<Eigen::Index>(i)) = read_vector(list.item(i), "m");
  return points;
}

}  // namespace

KnownBodies known_bodies(const Value& system) {
  KnownBodies known;
  const SystemInfo* info = find_system(system.member("type").text());
  if (!info) return known;
  if (const auto bodies = system.find("bodies"); bodies && info->key == custom_system().key)
    known.count = static_cast<int>(bodies->whole(1, max_sites));
  for (const ParameterInfo& p : info->parameters) {
    const auto given = system.find(p.key);
    if (!given || given->kind() == json::Kind::null) continue;
    if (p.shape == Shape::sites)
      known.places = SiteLattice(read_site_lattice(*given, p)).positions();
    else if (p.shape == Shape::points && p.unit == "m")
      known.places = points_in(*given);
    else if (p.shape == Shape::count)
      known.count = static_cast<int>(given->whole(1, max_sites));
    else if (p.shape == Shape::per_body && given->kind() == json::Kind::array && !known.count)
      known.count = static_cast<int>(given->size());
  }
  if (known.places) known.count = static_cast<int>(known.places->cols());
  return known;
}

Columns generated_directions(const Value& generator, const KnownBodies& known) {
  const bool listed = generator.kind() == json::Kind::array;
  if (listed && generator.size() == 0) generator.fail("must have at least one entry");
  Columns q = generated_by(listed ? generator.item(0) : generator, known);
  const auto bodies = static_cast<std::size_t>(q.cols());
  if (listed && generator.size() > max_directions / bodies)
    generator.fail(fmt::format("must have at most {} entries with {} bodies, not {}",
                               max_directions / bodies, bodies, generator.size()));
  for (std::size_t k = 1; listed && k < generator.size(); ++k) {
    const Value later = generator.item(k);
    KnownBodies now = known;
    now.count = static_cast<int>(q.cols());
    const Columns turned = generated_by(later, now);
    if (turned.cols() != q.cols())
      later.fail(fmt::format("gives {} directions, but the first of the list {}", turned.cols(),
                             q.cols()));
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      q.col(i) = carried(Vec3(0, 0, 1), turned.col(i), q.col(i));
  }
  // As long as the length is not 1 to rounding.
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  for (Eigen::Index i = 0; i < q.cols(); ++i)
    for (int pass = 0; pass < 4 && std::abs(q.col(i).squaredNorm() - 1) > rounding; ++pass)
      q.col(i) /= q.col(i).norm();
  return q;
}

}  // namespace twosphere
