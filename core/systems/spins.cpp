// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/mechanics/coincidence.h"
#include "core/mechanics/heat_bath.h"
#include "core/mechanics/system.h"
#include "core/systems/motion.h"
#include "core/systems/parameters.h"
#include "core/systems/site_lattice.h"
#include "core/systems/spin_energy.h"
#include "core/systems/spin_field.h"
#include "core/systems/texts.h"

namespace twosphere {

namespace {

/// The sites of spins and what is drawn of them.
struct SpinSites {
  std::optional<SiteLattice> lattice;
  Columns positions;                          // [m]
  double arrow = 0.8;                         // length of the arrows [m]
  std::vector<std::array<int, 3>> triangles;  // of a lattice in a plane
  Plaquettes plaquettes;                      // of the same
  std::vector<Geometry::Cell> cells;          // of its sites
};

constexpr std::size_t max_guides = 4096;
constexpr std::string_view color_name = "component along the axis";
constexpr std::string_view charge_name = "topological charge", exchange_name = "exchange energy";
constexpr std::string_view magnetisation_name = "magnetisation";
constexpr std::string_view defects_name = "nematic defects", spacing_name = "spacing of defects";
constexpr std::string_view temperature_key = "temperature";

/// The solid angle of the triangle of three directions, with the sign of a·(b × c), within ±2π, by
/// Oosterom and Strackee: tan ½Ω = a·(b × c)/(1 + a·b + b·c + c·a).
double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  return 2 * std::atan2(a.dot(b.cross(c)), 1 + a.dot(b) + b.dot(c) + c.dot(a));
}

/// How many of these polygons are nematic defects: the directions, each up to its sign, turn by
/// half a turn around them, so that the product of q_i·q_j around them is negative whatever the
/// signs.
int nematic_defects(const Plaquettes& plaquettes, const Columns& q) {
  int count = 0;
  for (std::size_t first = 0; first < plaquettes.sites.size(); first += plaquettes.corners) {
    bool turned = false;
    int before = plaquettes.sites[first + plaquettes.corners - 1];
    for (std::size_t k = 0; k < plaquettes.corners; ++k) {
      const int site = plaquettes.sites[first + k];
      if (q.col(before).dot(q.col(site)) < 0) turned = !turned;
      before = site;
    }
    count += turned ? 1 : 0;
  }
  return count;
}

/// Spins, of first order, which precess about the field of their neighbours.
///
/// Notation: κ_i strength [J s], c_i damping [N m s]; J exchange, b biquadratic exchange, D_ij
/// Dzyaloshinskii-Moriya vector of a bond, K_i anisotropy about n, B field [J]; a spin torque [J].
///   V   = −Σ_bonds [J q_i·q_j + b (q_i·q_j)² + D_ij·(q_i × q_j)] − Σ_i [K_i (n·q_i)² + B·q_i]
///   f_i = B(t) + a × q_i, with B(t) of a field that depends on t
/// A temperature k_BT > 0 [J] puts them into a heat bath, see core/mechanics/heat_bath.h.
/// Landau and Lifshitz's equation, with Gilbert's damping and Slonczewski's torque, see
/// core/mechanics/first_order.h.
class Spins final : public System {
 public:
  Spins(SpinSites sites, SpinTerms terms, const Values& values)
      : sites_(std::move(sites)),
        energy_(std::move(terms), sites_.lattice ? &*sites_.lattice : nullptr),
        strength_(list(values, "strength")),
        damping_(list(values, "damping")),
        inertia_(NoInertia{static_cast<int>(strength_.size())}),
        field_(numbers_of(values, spin_field_key)),
        torque_(vector(values, "spin_torque")),
        apolar_(energy_.even() && !field_.drives()) {
    if (damping_.isZero(0)) damping_.resize(0);
    if (const double temperature = scalar(values, temperature_key); temperature > 0)
      bath_ = {temperature, static_cast<std::uint64_t>(scalar(values, "seed"))};
  }

  int size() const override { return static_cast<int>(strength_.size()); }
  const Inertia& inertia() const override { return inertia_; }
  const Eigen::VectorXd& strength() const override { return strength_; }
  const Eigen::VectorXd& damping() const override { return damping_; }
  const HeatBath* heat_bath() const override { return bath_ ? &*bath_ : nullptr; }
  double potential(const Columns& q) const override { return energy_.value(q); }
  void gradient(const Columns& q, Columns& g) const override { energy_.gradient(q, g); }
  void hessian_times(const Columns& q, const Columns& v, Columns& h) const override {
    energy_.hessian_times(q, v, h);
  }
  TermKinds term_kinds() const override {
    TermKinds kinds = energy_.term_kinds();
    kinds.turning_force = !torque_.isZero(0);
    return kinds;
  }
  PairTerms pair_terms() const override { return energy_.pair_terms(size()); }

  bool has_external_force() const override { return field_.drives() || !torque_.isZero(0); }
  bool time_dependent() const override { return field_.drives(); }
  double force_period() const override { return field_.period(); }
  bool repeats_after(double time) const override { return field_.repeats_after(time); }
  void force(double t, const Columns& q, Columns& f) const override {
    const Vec3 driven = field_.driven(t);
    for (Eigen::Index i = 0; i < q.cols(); ++i) f.col(i) = driven + torque_.cross(q.col(i));
  }
  void force_slope(double /*t*/, const Columns& /*q*/, const Columns& v,
                   Columns& d) const override {
    for (Eigen::Index i = 0; i < v.cols(); ++i) d.col(i) = torque_.cross(v.col(i));
  }

  std::array<bool, 3> conserved_momentum() const override {
    // Damping and the spin torque turn Σ κ_i q_i in any direction.
    if (damping_.size() > 0 || !torque_.isZero(0)) return {false, false, false};
    const SpinTerms& terms = energy_.terms();
    std::array<bool, 3> kept = field_.symmetric();
    const auto keep = [&kept](const Vec3& v) {
      const auto along = along_axes(v);
      for (std::size_t k = 0; k < 3; ++k) kept[k] = kept[k] && along[k];
    };
    if (terms.anisotropy.size() > 0) keep(terms.axis);
    for (const Vec3& dm : terms.dm) keep(dm);
    return kept;
  }

  void geometry(const Columns& q, Geometry& out) const override {
    out.clear();
    out.cells = sites_.cells;
    if (const auto& bonds = energy_.terms().bonds; bonds.size() <= max_guides)
      for (const SiteBond& bond : bonds)
        if (!bond.across)
          out.guides.push_back(
              {sites_.positions.col(bond.first), sites_.positions.col(bond.second)});
    for (Eigen::Index i = 0; i < q.cols(); ++i) {
      const Vec3 site = sites_.positions.col(i), half = sites_.arrow / 2 * q.col(i);
      out.arrows.push_back({site - half, site + half, 1});
      out.bodies.push_back({site + half, 1});
    }
  }
  double lever(int body, int link) const override { return body == link ? sites_.arrow / 2 : 0; }

  Extent extent() const override {
    const Box box = accessible_box(0);
    return {box.center(), box.sizes().norm() / 2, false};
  }
  Box accessible_box(double /*energy*/) const override {
    const Vec3 half = Vec3::Constant(sites_.arrow / 2);
    return {sites_.positions.rowwise().minCoeff() - half,
            sites_.positions.rowwise().maxCoeff() + half};
  }
  double operations() const override {
    return 20.0 * size() + 40.0 * static_cast<double>(energy_.terms().bonds.size());
  }

  double own_quantity(std::string_view name, double /*t*/, const Columns& q,
                      const Columns& /*w*/) const override {
    if (name == exchange_name) return energy_.exchange_energy(q);
    if (name == magnetisation_name) return apolar() ? std::nan("") : q.rowwise().mean().norm();
    if (name == charge_name) return apolar() ? std::nan("") : topological_charge(q);
    const Plaquettes& plaquettes = sites_.plaquettes;
    if (plaquettes.count() == 0 || !apolar()) return std::nan("");
    const int defects = nematic_defects(plaquettes, q);
    if (name == defects_name) return defects;
    if (name != spacing_name || defects == 0) return std::nan("");
    return std::sqrt(static_cast<double>(plaquettes.count()) * plaquettes.area / defects);
  }
  bool apolar() const override { return apolar_; }
  bool shows_directions() const override { return true; }
  std::array<int, 3> lattice_layers() const override {
    if (!sites_.lattice || sites_.lattice->kind().dimension < 3) return {0, 0, 0};
    const auto& [nx, ny, nz] = sites_.lattice->size();
    return {static_cast<int>(nx), static_cast<int>(ny), static_cast<int>(nz)};
  }
  std::optional<OwnQuantity> own_color() const override { return OwnQuantity{color_name, "1"}; }
  void own_color_values(double /*t*/, const Columns& q, const Columns& /*w*/,
                        std::vector<double>& out) const override {
    out.resize(static_cast<std::size_t>(q.cols()));
    for (Eigen::Index i = 0; i < q.cols(); ++i)
      out[static_cast<std::size_t>(i)] = energy_.terms().axis.dot(q.col(i));
  }

 private:
  double topological_charge(const Columns& q) const {
    if (sites_.triangles.empty()) return std::nan("");
    double sum = 0;
    for (const auto& [a, b, c] : sites_.triangles) sum += solid_angle(q.col(a), q.col(b), q.col(c));
    return sum / (4 * std::numbers::pi);
  }

  SpinSites sites_;
  SpinEnergy energy_;
  Eigen::VectorXd strength_, damping_;
  Inertia inertia_;
  SpinField field_;
  Vec3 torque_;  // a
  bool apolar_;
  std::optional<HeatBath> bath_;
};

Error spins_error(std::string_view where, std::string message) {
  return {ErrorKind::usage, std::string(where), std::move(message)};
}

/// The length of the arrows of sites whose neighbours are `distance` apart [m]. In a long row
/// arrows between neighbours would be too small to be seen: there they overlap.
double arrow_length(const Columns& positions, double distance) {
  const Vec3 size = positions.rowwise().maxCoeff() - positions.rowwise().minCoeff();
  const double between = 0.8 * distance, row = size.maxCoeff();
  return size.sum() > row ? between : std::max(between, row / 15);
}

/// The sites and the bonds of n spins.
Result<SpinSites> sites_of(int n, const Values& values, std::vector<SiteBond>& bonds) {
  const std::vector<double>&lattice = numbers_of(values, "lattice"),
        &pairs = numbers_of(values, "bonds"), &positions = numbers_of(values, "positions");
  if (lattice.empty() == pairs.empty()) return spins_error("", "needs either a lattice or bonds");
  SpinSites sites;
  if (!lattice.empty()) {
    if (!positions.empty()) return spins_error("positions", "belong to bonds, not to a lattice");
    sites.lattice.emplace(lattice);
    sites.positions = sites.lattice->positions();
    sites.triangles = sites.lattice->triangles();
    sites.plaquettes = sites.lattice->plaquettes();
    for (const std::vector<Vec3>& region : sites.lattice->regions()) {
      Geometry::Cell& cell = sites.cells.emplace_back();
      cell.count = region.size();
      std::copy(region.begin(), region.end(), cell.corners.begin());
    }
    sites.arrow = arrow_length(sites.positions, sites.lattice->distance());
    bonds = sites.lattice->bonds();
    return sites;
  }
  // Without positions they stand in a row.
  if (positions.empty())
    sites.positions = Vec3(1, 0, 0) * Eigen::RowVectorXd::LinSpaced(n, 0, n - 1);
  else
    sites.positions = points(values, "positions");
  if (const auto met = coincidence(sites.positions))
    return spins_error(fmt::format("positions[{}]", met->first),
                       fmt::format("coincides with position {}", met->second));
  if (n > 1) {
    const auto [i, j] = nearest_pair(sites.positions);
    sites.arrow =
        arrow_length(sites.positions, (sites.positions.col(i) - sites.positions.col(j)).norm());
  }
  for (std::size_t s = 0; s + 1 < pairs.size(); s += 2) {
    const auto i = static_cast<int>(pairs[s]), j = static_cast<int>(pairs[s + 1]);
    bonds.push_back({i, j, sites.positions.col(j) - sites.positions.col(i), false});
  }
  return sites;
}

bool is_zero_list(const std::vector<double>& list) {
  return std::all_of(list.begin(), list.end(), [](double x) { return x == 0; });
}

/// D of each bond, from the numbers of the parameter; none if all are 0.
std::vector<Vec3> dm_of(const std::vector<SiteBond>& bonds, const std::vector<double>& dm) {
  std::vector<Vec3> list;
  if (is_zero_list({dm.begin() + 1, dm.end()})) return list;
  for (const SiteBond& bond : bonds) {
    const Vec3 unit = bond.along.normalized();
    list.push_back(dm[0] == 0   ? Vec3(dm[1], dm[2], dm[3])
                   : dm[0] == 1 ? Vec3(dm[1] * unit)
                                : Vec3(dm[1] * Vec3(0, 0, 1).cross(unit)));
  }
  return list;
}

Result<std::unique_ptr<const System>> create_spins(int n, const Values& values) {
  SpinTerms terms;
  auto sites = sites_of(n, values, terms.bonds);
  if (!sites) return sites.error();
  if (auto usable = check_spin_field(values); !usable) return usable.error();

  for (const auto& [key, to] :
       {std::pair{"exchange", &terms.exchange}, {"biquadratic", &terms.biquadratic}}) {
    *to = numbers_of(values, key);
    if (to->size() != 1 && to->size() != terms.bonds.size())
      return spins_error(key, fmt::format("must be one number or have {}, one per bond, not {}",
                                          terms.bonds.size(), to->size()));
  }
  terms.dm = dm_of(terms.bonds, numbers_of(values, "dm"));
  terms.axis = vector(values, "axis");
  if (terms.axis.isZero(0)) return spins_error("axis", "must not be the zero vector");
  terms.axis.normalize();
  terms.anisotropy = list(values, "anisotropy");
  if (terms.anisotropy.isZero(0)) terms.anisotropy.resize(0);
  terms.field = SpinField(numbers_of(values, spin_field_key)).constant();

  const std::vector<double>&strength = numbers_of(values, "strength"),
        &damping = numbers_of(values, "damping");
  for (std::size_t i = 0; i < strength.size(); ++i)
    if (strength[i] == 0 && damping[i] == 0)
      return spins_error(fmt::format("strength[{}]", i),
                         "0 J s needs a damping greater than 0: nothing else moves the spin");
  if (scalar(values, temperature_key) > 0 && is_zero_list(damping))
    return spins_error(temperature_key, std::string(undamped_heat_bath));
  return std::unique_ptr<const System>(
      std::make_unique<Spins>(std::move(*sites), std::move(terms), values));
}

Definition text_of_spins(const SystemInfo& info, int n, const Values& values) {
  using Form = Definition::Parameter::Form;
  std::vector<SiteBond> bonds;
  const SpinSites sites = *sites_of(n, values, bonds);
  const auto numbers = [&](std::string_view key) { return numbers_of(values, key); };
  Definition d;
  d.bodies = n;
  d.first_order = true;
  const auto add = [&](std::string name, std::string_view key) {
    d.parameters.push_back(parameter_text(std::move(name), info, key, values));
  };
  const auto add_vector = [&](std::string name, std::string_view key, const Vec3& v) {
    add(std::move(name), key);
    d.parameters.back().form = Form::list;
    d.parameters.back().value = {v.x(), v.y(), v.z()};
  };
  const auto add_pairs = [&](std::string name, bool all) {
    Definition::Parameter pairs{.key = std::move(name), .form = Form::pairs, .value = {}};
    for (const SiteBond& bond : bonds)
      if (all || !bond.across)
        pairs.value.insert(pairs.value.end(),
                           {static_cast<double>(bond.first), static_cast<double>(bond.second)});
    d.parameters.push_back(std::move(pairs));
  };
  add("kappa", "strength");
  d.strength = d.parameters.back().value.size() > 1 ? "i: kappa[i]" : "kappa";
  add_vector("axis", "axis", vector(values, "axis").normalized());

  if (!bonds.empty()) {
    add("J", "exchange");
    std::string terms = "J[s]*q[i].q[j]";
    if (const auto b = numbers("biquadratic"); !is_zero_list(b)) {
      add("b", "biquadratic");
      terms += " + b[s]*(q[i].q[j])^2";
    }
    if (const std::vector<Vec3> dm = dm_of(bonds, numbers("dm")); !dm.empty()) {
      const bool alike =
          std::all_of(dm.begin(), dm.end(), [&](const Vec3& v) { return v == dm[0]; });
      add_vector("D", "dm", dm[0]);
      terms += alike ? " + D.(q[i]×q[j])" : " + [D[3*s], D[3*s+1], D[3*s+2]].(q[i]×q[j])";
      for (std::size_t s = 1; s < dm.size() && !alike; ++s)
        d.parameters.back().value.insert(d.parameters.back().value.end(), dm[s].begin(),
                                         dm[s].end());
    }
    add_pairs("bonds", true);
    d.hamiltonian = "-sum(i, j, s in bonds: " + terms + ")";
  }
  if (!is_zero_list(numbers("anisotropy"))) {
    add("K", "anisotropy");
    d.hamiltonian += " - sum(i: K[i]*(axis.q[i])^2)";
  }
  const std::vector<double> field = numbers(spin_field_key);
  const SpinField at(field);
  if (!at.constant().isZero(0) || d.hamiltonian.empty()) {
    add_vector("B", spin_field_key, at.constant());
    d.hamiltonian += " - sum(i: B.q[i])";
  }
  std::string force = at.drives() ? add_spin_field(d, field) : "";
  if (const Vec3 a = vector(values, "spin_torque"); !a.isZero(0)) {
    add_vector("a", "spin_torque", a);
    force += force.empty() ? "cross(a, q[i])" : " + cross(a, q[i])";
  }
  if (!force.empty()) d.force.push_back("f[i] = " + force);
  if (!is_zero_list(numbers("damping"))) {
    add("c", "damping");
    // Some may be 0.
    d.parameters.back().range = {{0, d.parameters.back().range->at(1)}};
    d.damping = d.parameters.back().value.size() > 1 ? "i: c[i]" : "c";
  }
  if (scalar(values, temperature_key) > 0) {
    add("kT", temperature_key);
    d.temperature = "kT";
    d.seed = static_cast<std::int64_t>(scalar(values, "seed"));
  }

  Definition::Parameter places = parameter_text("r", info, "positions", values);
  places.form = Form::list;
  places.range.reset();  // a lattice is as large as it is
  places.value.assign(sites.positions.data(), sites.positions.data() + sites.positions.size());
  add_pivots(d, std::move(places), "site");
  d.parameters.back().help = "Coordinates of the sites, three of each.";
  Definition::Parameter length = parameter_text("length", info, "lattice", values);
  length.form = Form::number;
  length.value = {sites.arrow};
  length.range.reset();
  length.help = "Length of the arrows.";
  d.parameters.push_back(std::move(length));
  d.figure = {"arrow(site[i] - length/2*q[i], site[i] + length/2*q[i])",
              "ball(site[i] + length/2*q[i])"};
  const bool across =
      std::any_of(bonds.begin(), bonds.end(), [](const SiteBond& bond) { return bond.across; });
  if (across) add_pairs("edges", false);
  if (!bonds.empty() && bonds.size() <= max_guides)
    d.figure.emplace_back(across ? "i, j in edges: rod(site[i], site[j])"
                                 : "i, j in bonds: rod(site[i], site[j])");
  d.color = {{std::string(color_name), "axis.q[i]"}};
  return d;
}

ParameterInfo spin_parameter(std::string_view key, std::string_view symbol, std::string_view label,
                             std::string_view unit, std::string_view help, Shape shape) {
  return {.key = key,
          .symbol = symbol,
          .label = label,
          .unit = unit,
          .help = help,
          .shape = shape,
          .low = -2,
          .high = 2};
}

std::vector<ParameterInfo> spin_parameters() {
  ParameterInfo strength =
      spin_parameter("strength", "κ", "strength", "J s",
                     "Angular momentum of each spin along q; negative if q is the direction of the "
                     "magnetic moment of electrons. 0 is overdamped motion.",
                     Shape::per_body);
  strength.default_value = 1;
  ParameterInfo lattice = spin_parameter(
      "lattice", "a", "lattice", "m",
      "Lattice of the spins, with bonds between nearest neighbours. The site of the cell (x, y, z) "
      "is number (z·ny + y)·nx + x, of a hexagonal lattice twice that and the next. Bonds lead "
      "from each site, in order, to the neighbour at +a₁, then a₂, then a₂ − a₁ of a triangular or "
      "a₃ of a cubic lattice; of a hexagonal one, with lattice constant a, from the first site of "
      "a cell to the second, and from the second to the first ones of the next cells along a₁ and "
      "a₂.",
      Shape::sites);
  lattice.optional = true;
  lattice.low = 0.1;
  lattice.high = 10;
  lattice.live = false;
  ParameterInfo bonds =
      spin_parameter("bonds", "ij", "bonds", "1",
                     "Pairs of spins that are coupled, instead of a lattice.", Shape::pairs);
  bonds.optional = true;
  bonds.live = false;
  ParameterInfo positions = spin_parameter(
      "positions", "r", "position", "m",
      "Place of each spin that bonds couple; without it they stand in a row.", Shape::points);
  positions.optional = true;
  positions.live = false;
  ParameterInfo exchange =
      spin_parameter("exchange", "J", "exchange", "J",
                     "Energy −J qᵢ·qⱼ of each bond: spins align for J > 0 and alternate for J < 0.",
                     Shape::per_pair);
  exchange.default_value = 1;
  ParameterInfo biquadratic = spin_parameter("biquadratic", "b", "biquadratic exchange", "J",
                                             "Energy −b (qᵢ·qⱼ)² of each bond.", Shape::per_pair);

  ParameterInfo vector =
      spin_parameter("dm", "D", "DM vector", "J",
                     "D of every bond, from its first spin to the second.", Shape::vector);
  ParameterInfo value = spin_parameter("value", "D", "DM strength", "J",
                                       "Size of the DM vectors, with their sign.", Shape::scalar);
  value.required = true;
  value.default_value = 0.3;
  ParameterInfo dm =
      spin_parameter("dm", "D", "Dzyaloshinskii-Moriya interaction", "J",
                     "Energy −D·(qᵢ × qⱼ) of each bond: neighbours turn about D.", Shape::form);
  dm.forms = {{.key = "vector",
               .label = "Vector",
               .help = "D the same for all bonds.",
               .fields = {std::move(vector)}},
              {.key = "bulk",
               .label = "Bulk",
               .help = "D along each bond, D r with r its direction.",
               .fields = {value}},
              {.key = "interfacial",
               .label = "Interfacial",
               .help = "D at right angles to each bond and e₃, D e₃ × r.",
               .fields = {value}}};
  ParameterInfo anisotropy = spin_parameter(
      "anisotropy", "K", "anisotropy", "J",
      "Energy −K (n·q)² of each spin: easy axis for K > 0, easy plane for K < 0.", Shape::per_body);
  ParameterInfo axis = spin_parameter("axis", "n", "anisotropy axis", "1",
                                      "Axis of the anisotropy, of any nonzero length; colours "
                                      "can show the components along it.",
                                      Shape::vector);
  axis.default_vector = {0, 0, 1};
  axis.low = -1;
  axis.high = 1;
  ParameterInfo damping = damping_parameter();
  damping.help = "Torque −c ω on each spin; Gilbert's α is c/|κ|.";
  damping.shape = Shape::per_body;
  ParameterInfo torque = spin_parameter("spin_torque", "a", "spin torque", "J",
                                        "Force a × q on each spin, of a spin-polarised current: it "
                                        "adds the part of a/κ that is tangent to dq/dt.",
                                        Shape::vector);
  ParameterInfo temperature =
      spin_parameter(temperature_key, "k_BT", "temperature", "J",
                     "k_BT of a heat bath: noise that, with the damping, keeps a temperature. 0 is "
                     "without one. Needs damping and methods of order 2 that keep |q|.",
                     Shape::scalar);
  temperature.domain = Domain::non_negative;
  temperature.low = 0;
  temperature.omitted = true;
  ParameterInfo seed =
      spin_parameter("seed", "s", "seed", "1", "The same seed gives the same noise of a heat bath.",
                     Shape::scalar);
  seed.domain = Domain::non_negative;
  seed.whole = true;
  seed.low = 0;
  seed.high = 1000;
  seed.live = false;
  seed.omitted = true;
  return {std::move(strength),    std::move(lattice),     std::move(bonds),   std::move(positions),
          std::move(exchange),    std::move(biquadratic), std::move(dm),      std::move(anisotropy),
          std::move(axis),        spin_field_parameter(), std::move(damping), std::move(torque),
          std::move(temperature), std::move(seed)};
}

}  // namespace

const SystemInfo& spins() {
  static const SystemInfo info{
      .key = "spins",
      .title = "Spins",
      .description =
          "Classical spins on a lattice, which precess about the field of their "
          "neighbours: no kinetic energy, equations of first order.",
      .equations =
          "L = Σ κᵢ A(qᵢ)·q̇ᵢ + Σ_{bonds} [J qᵢ·qⱼ + b (qᵢ·qⱼ)² + D·(qᵢ × qⱼ)] + Σ [K (n·qᵢ)² "
          "+ B·qᵢ]",
      .reference = "Landau, Lifshitz 1935; Gilbert 2004; McLachlan, Modin, Verdier 2014",
      .parameters = spin_parameters(),
      .momentum_columns = {true, true, true},
      .first_order = true,
      .motion = [](int n) { return n > 1 ? std::string("mean_direction_z") : angle_from_e3(0); },
      // In the order of the plots, for which those without a value are left out. The mean direction
      // is no motion where defects or a charge are counted: it is nearly the magnetisation, or
      // nothing.
      .own_quantities = {{defects_name, "1", true},
                         {spacing_name, "m"},
                         {charge_name, "1", true},
                         {exchange_name, "J"},
                         {magnetisation_name, "1"}},
      .create = create_spins,
      .text = [](int n, const Values& values) { return text_of_spins(info, n, values); }};
  return info;
}

}  // namespace twosphere
