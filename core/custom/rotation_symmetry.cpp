// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/rotation_symmetry.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/mechanics/random_state.h"

namespace twosphere::custom {

namespace {

using Axes = std::array<bool, 3>;

constexpr Axes no_axis{false, false, false}, every_axis{true, true, true};
constexpr int max_degree = 8, polynomial_states = 4;
constexpr long max_parts = 2'000'000;
constexpr double rounding = 1e-12;

Axes both(const Axes& a, const Axes& b) { return {a[0] && b[0], a[1] && b[1], a[2] && b[2]}; }
Axes either(const Axes& a, const Axes& b) { return {a[0] || b[0], a[1] || b[1], a[2] || b[2]}; }
bool any(const Axes& a) { return a[0] || a[1] || a[2]; }

/// A polynomial in q at one state: its value, the derivatives of it along the turns, and the sum of
/// the sizes of its terms.
struct Polynomial {
  int degree = 0;
  Vec3 value = Vec3::Zero();
  std::array<Vec3, 3> change{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  double size = 0;
};

/// The effect on a value of turns about the three axes. A number counts as a vector (x, 0, 0) that
/// does not turn.
struct Turned {
  Axes stays = every_axis;                 ///< the value is the same after the turn
  Axes turns = no_axis;                    ///< a vector that turns with the bodies
  std::optional<Polynomial> polynomial{};  ///< at one state, where it is one in q

  /// Along e_k, if it is a vector: it stays and turns.
  Axes along() const { return both(stays, turns); }
  Axes either_way() const { return either(stays, turns); }
};

/// Thrown where a text takes too long, or nothing can be shown any more.
struct Unclear {};

/// Reads texts once for all indices.
class ByForm {
 public:
  explicit ByForm(ModelConstants& constants)
      : constants_(constants), indices_(at(constants.bindings().variables), 0) {}
  /// Or for one index after the other, at a state, with polynomials.
  ByForm(ModelConstants& constants, Columns q) : ByForm(constants) { q_ = std::move(q); }

  Axes of_potential() { return look(*constants_.model().potential).stays; }
  Axes of_gyroscopic() {
    const Ref& text = constants_.model().gyroscopic;
    return text ? look(*text).stays : every_axis;
  }
  Axes of_inertia() {
    const InertiaText& text = constants_.model().inertia;
    Axes same = every_axis;
    for (const Entry& entry : text.arguments)
      if (entry.values[0]->reads_q)
        for_each(entry.over.get(), [&] { same = both(same, look(*entry.values[0]).stays); });
    return same;
  }
  /// The axes about which no force has a torque.
  Axes of_forces() {
    return of_each_force([this](const Entry& entry) { return harmless(entry, *entry.values[0]); });
  }
  /// And those about which all forces turn with the state.
  Axes of_turning_forces() {
    return of_each_force([this](const Entry& entry) { return look(*entry.values[0]).turns; });
  }

 private:
  bool by_index() const { return q_.cols() > 0; }

  /// Once for all indices, or for one after the other.
  void for_each(const Range* over, const std::function<void()>& visit) {
    if (by_index() && over)
      constants_.enumerate(*over, indices_, visit);
    else
      visit();
  }

  Axes of_each_force(const std::function<Axes(const Entry&)>& of) {
    Axes same = every_axis;
    for (const Entry& entry : constants_.model().forces)
      for_each(entry.over.get(), [&] { same = both(same, of(entry)); });
    return same;
  }

  /// Whether the value of a constant is at hand.
  bool known(const Node& node) const {
    return node.constant() && (by_index() || node.indices.empty());
  }

  Turned look(const Node& node) {
    // By index a text is read once for each tuple: of large systems only the form is looked at.
    if (by_index() && ++parts_ > max_parts) throw Unclear{};
    if (known(node)) return constant(constants_.value(node, indices_), node.is_vector);
    Turned out = by_parts(node);
    if (out.polynomial) compare(out, node.is_vector);
    return out;
  }

  Turned constant(const Vec3& value, bool is_vector) const {
    Turned out;
    for (int k = 0; is_vector && k < 3; ++k)
      out.turns[at(k)] = value[(k + 1) % 3] == 0 && value[(k + 2) % 3] == 0;
    if (by_index()) {
      out.polynomial.emplace();
      out.polynomial->value = value;
      out.polynomial->size = value.norm();
    }
    return out;
  }

  /// Adds what the derivatives of a polynomial show.
  static void compare(Turned& t, bool is_vector) {
    const Polynomial& p = *t.polynomial;
    // Rounding is relative to the sum of the sizes of the terms, not to the value: terms cancel.
    const double small = rounding * p.size;
    for (std::size_t k = 0; k < 3; ++k) {
      t.stays[k] = t.stays[k] || p.change[k].norm() <= small;
      if (is_vector) t.turns[k] = t.turns[k] || (p.change[k] - turn(k, p.value)).norm() <= small;
    }
  }
  static Vec3 turn(std::size_t k, const Vec3& x) {
    return Vec3::Unit(static_cast<int>(k)).cross(x);
  }

  Turned by_parts(const Node& node) {
    switch (node.op) {
      case Op::q:
      case Op::w:
      case Op::v:
        return moving(node);
      case Op::use:
        return use(node);
      case Op::vector:
        return vector(node);
      case Op::sum:
      case Op::product:
      case Op::dot:
      case Op::cross:
        return joined(node);
      case Op::power:
        return power(node);
      case Op::total:
        return total(node);
      case Op::angle: {
        const Turned a = look(*node.parts[0]), b = look(*node.parts[1]);
        return number_that_stays(either(both(a.stays, b.stays), both(a.turns, b.turns)));
      }
      case Op::norm:
        return norm(node);
      case Op::choose:
        return choose(node);
      default:
        break;
    }
    // A function of numbers, and a product over indices.
    Axes same = every_axis;
    for_each(node.over.get(), [&] {
      for (const Ref& part : node.parts) same = both(same, look(*part).stays);
    });
    return number_that_stays(same);
  }

  static Turned number_that_stays(const Axes& same) { return {same, no_axis, {}}; }

  Turned moving(const Node& node) {
    Turned out{no_axis, every_axis, {}};
    if (!by_index() || node.op != Op::q) return out;
    const int i = constants_.index(node, *node.parts[0], indices_, constants_.bodies());
    out.polynomial.emplace();
    out.polynomial->degree = 1;
    out.polynomial->value = q_.col(i);
    out.polynomial->size = 1;
    for (std::size_t k = 0; k < 3; ++k) out.polynomial->change[k] = turn(k, q_.col(i));
    return out;
  }

  Turned use(const Node& node) {
    const std::pair<int, int> key(node.which, by_index() ? constants_.enter(node, indices_) : -1);
    if (const auto found = named_.find(key); found != named_.end()) return found->second;
    return named_[key] = look(*constants_.bindings().named[at(node.which)].body);
  }

  Turned vector(const Node& node) {
    Turned out;
    Axes zero{};
    std::array<Turned, 3> parts;
    for (std::size_t m = 0; m < 3; ++m) {
      const Node& part = *node.parts[m];
      parts[m] = look(part);
      zero[m] = known(part) && constants_.number(part, indices_) == 0;
      out.stays = both(out.stays, parts[m].stays);
    }
    for (std::size_t k = 0; k < 3; ++k)
      out.turns[k] = zero[(k + 1) % 3] && zero[(k + 2) % 3] && parts[k].stays[k];
    if (!parts[0].polynomial || !parts[1].polynomial || !parts[2].polynomial) return out;
    Polynomial& p = out.polynomial.emplace();
    for (std::size_t m = 0; m < 3; ++m) {
      const Polynomial& of = *parts[m].polynomial;
      p.degree = std::max(p.degree, of.degree);
      p.size += of.size;
      p.value[static_cast<int>(m)] = of.value[0];
      for (std::size_t k = 0; k < 3; ++k) p.change[k][static_cast<int>(m)] = of.change[k][0];
    }
    return out;
  }

  /// A sum, or a product of two by two.
  Turned joined(const Node& node) {
    Turned out = look(*node.parts[0]);
    if (node.op == Op::sum || node.op == Op::product) inverted(node, 0, out);
    bool is_vector = node.parts[0]->is_vector;
    for (std::size_t m = 1; m < node.parts.size(); ++m) {
      Turned next = look(*node.parts[m]);
      if (node.op == Op::sum || node.op == Op::product) inverted(node, m, next);
      const bool next_is_vector = node.parts[m]->is_vector;
      if (node.op == Op::sum)
        out = added(std::move(out), next);
      else
        out = multiplied(node.op, out, is_vector, next, next_is_vector);
      is_vector = is_vector || next_is_vector;
    }
    return out;
  }

  /// −x in a sum, 1/x in a product.
  void inverted(const Node& node, std::size_t m, Turned& part) {
    if (!node.inverse[m] || !part.polynomial) return;
    Polynomial& p = *part.polynomial;
    if (node.op == Op::sum) {
      p.value = -p.value;
      for (Vec3& change : p.change) change = -change;
    } else if (p.degree == 0 && p.value[0] != 0) {
      p.value[0] = 1 / p.value[0];
      p.size = std::abs(p.value[0]);
    } else {
      part.polynomial.reset();
    }
  }

  static Turned added(Turned a, const Turned& b) {
    a.stays = both(a.stays, b.stays);
    a.turns = both(a.turns, b.turns);
    if (!a.polynomial || !b.polynomial) {
      a.polynomial.reset();
      return a;
    }
    Polynomial& p = *a.polynomial;
    p.degree = std::max(p.degree, b.polynomial->degree);
    p.value += b.polynomial->value;
    p.size += b.polynomial->size;
    for (std::size_t k = 0; k < 3; ++k) p.change[k] += b.polynomial->change[k];
    return a;
  }

  static Vec3 product_of(Op op, const Vec3& a, bool a_is_vector, const Vec3& b, bool b_is_vector) {
    if (op == Op::dot) return {a.dot(b), 0, 0};
    if (op == Op::cross) return a.cross(b);
    if (a_is_vector) return a * b[0];
    if (b_is_vector) return a[0] * b;
    return {a[0] * b[0], 0, 0};
  }

  static Turned multiplied(Op op, const Turned& a, bool a_is_vector, const Turned& b,
                           bool b_is_vector) {
    Turned out;
    const Axes stay = both(a.stays, b.stays), turn = both(a.turns, b.turns);
    if (op == Op::dot) {
      out.stays = either(stay, turn);
    } else if (op == Op::cross) {
      out.stays = stay;
      out.turns = turn;
    } else {
      out.stays = stay;
      if (a_is_vector) out.turns = both(a.turns, b.stays);
      if (b_is_vector) out.turns = both(a.stays, b.turns);
    }
    if (!a.polynomial || !b.polynomial) return out;
    const Polynomial &x = *a.polynomial, &y = *b.polynomial;
    if (x.degree + y.degree > max_degree) return out;
    const auto times = [&](const Vec3& u, const Vec3& v) {
      return product_of(op, u, a_is_vector, v, b_is_vector);
    };
    Polynomial& p = out.polynomial.emplace();
    p.degree = x.degree + y.degree;
    p.value = times(x.value, y.value);
    p.size = x.size * y.size;
    for (std::size_t k = 0; k < 3; ++k)
      p.change[k] = times(x.change[k], y.value) + times(x.value, y.change[k]);
    return out;
  }

  Turned power(const Node& node) {
    const Turned base = look(*node.parts[0]), exponent = look(*node.parts[1]);
    Turned out = number_that_stays(both(base.stays, exponent.stays));
    if (!base.polynomial || !known(*node.parts[1])) return out;
    const double whole = constants_.number(*node.parts[1], indices_);
    if (whole != std::round(whole) || whole < 1 || whole > max_degree) return out;
    Turned all = base;
    for (int m = 1; m < static_cast<int>(whole) && all.polynomial; ++m)
      all = multiplied(Op::product, all, false, base, false);
    out.polynomial = all.polynomial;
    return out;
  }

  /// |a| is the same if a·a is.
  Turned norm(const Node& node) {
    const Turned a = look(*node.parts[0]);
    Turned square = multiplied(Op::dot, a, true, a, true);
    square.stays = a.either_way();
    if (square.polynomial) compare(square, false);
    return number_that_stays(square.stays);
  }

  Turned total(const Node& node) {
    if (!by_index()) return look(*node.parts[0]);
    Turned sum = constant(Vec3::Zero(), node.is_vector);
    constants_.enumerate(*node.over, indices_, [&] {
      sum = added(std::move(sum), look(*node.parts[0]));
      // Further terms cannot make it good again.
      if (!sum.polynomial && !any(sum.either_way())) throw Unclear{};
    });
    return sum;
  }

  Turned choose(const Node& node) {
    const Node &a = *node.parts[0], &b = *node.parts[1];
    // Of a choice by indices only one side is ever read.
    if (by_index() && a.constant() && b.constant())
      return look(*node.parts[constants_.holds(node, indices_) ? 2 : 3]);
    const Axes same = both(look(a).stays, look(b).stays);
    const Turned yes = look(*node.parts[2]), no = look(*node.parts[3]);
    return {both(same, both(yes.stays, no.stays)), both(same, both(yes.turns, no.turns)), {}};
  }

  /// The axes about which a force, or a torque, on a body has no torque: f along e_k or q_i, and
  /// τ = q_i × a with an a along e_k.
  Axes harmless(const Entry& entry, const Node& node) {
    if (known(node) && constants_.value(node, indices_).isZero(0)) return every_axis;
    switch (node.op) {
      case Op::sum:
      case Op::choose: {
        Axes all = every_axis;
        for (const Ref& part : node.parts)
          if (part->is_vector) all = both(all, harmless(entry, *part));
        return all;
      }
      case Op::product: {
        Axes all = no_axis;
        for (std::size_t k = 0; k < node.parts.size(); ++k) {
          const Node& part = *node.parts[k];
          if (part.is_vector)
            all = harmless(entry, part);
          else if (!node.inverse[k] && known(part) && constants_.number(part, indices_) == 0)
            return every_axis;
        }
        return all;
      }
      case Op::total: {
        Axes all = every_axis;
        for_each(node.over.get(), [&] { all = both(all, harmless(entry, *node.parts[0])); });
        return all;
      }
      case Op::cross:
        if (entry.torque)
          for (const std::size_t m : {std::size_t{0}, std::size_t{1}})
            if (is_body(entry, *node.parts[m])) return look(*node.parts[1 - m]).along();
        break;
      default:
        break;
    }
    if (is_body(entry, node)) return every_axis;
    return entry.torque ? no_axis : look(node).along();
  }

  /// Whether this is q_i of the body on which the force acts.
  bool is_body(const Entry& entry, const Node& node) {
    if (node.op != Op::q) return false;
    const Node &a = *node.parts[0], &b = *entry.index;
    if (a.op == Op::index && b.op == Op::index) return a.which == b.which;
    return known(a) && known(b) && constants_.index(a, indices_) == constants_.index(b, indices_);
  }

  ModelConstants& constants_;
  Indices indices_;
  Columns q_ = Columns(3, 0);
  std::map<std::pair<int, int>, Turned> named_;
  long parts_ = 0;
};

/// Those of the axes that all of these parts of the texts show.
Axes shown_by(const std::vector<Axes (ByForm::*)()>& parts, const Model& model,
              const Values& values, const Axes& wanted) {
  Axes out = wanted;
  for (const auto part : parts) {
    if (!any(out)) break;
    Axes found = no_axis;
    try {
      ModelConstants constants(model, values);
      found = (ByForm(constants).*part)();
      // By index only what is not clear without.
      if (both(out, found) != out) {
        // A polynomial whose derivative is 0 at a few random states is taken to be constant.
        Axes everywhere = every_axis;
        for (unsigned s = 0; s < polynomial_states; ++s) {
          ModelConstants again(model, values);
          ByForm by_index(again, random_directions(again.bodies(), s));
          everywhere = both(everywhere, (by_index.*part)());
        }
        found = either(found, everywhere);
      }
    } catch (const Unclear&) {
    } catch (const TextException&) {
    }
    out = both(out, found);
  }
  return out;
}

}  // namespace

Axes symmetry_axes_of_texts(const Model& model, const Values& values, const Axes& wanted) {
  // Of first order J is Σ κ_i q_i, with κ_i of any size: there is no inertia that could depend on
  // q.
  return shown_by(
      {&ByForm::of_potential, &ByForm::of_gyroscopic, &ByForm::of_inertia, &ByForm::of_forces},
      model, values, wanted);
}

Axes turning_axes_of_texts(const Model& model, const Values& values, const Axes& wanted) {
  return shown_by({&ByForm::of_potential, &ByForm::of_inertia, &ByForm::of_turning_forces}, model,
                  values, wanted);
}

}  // namespace twosphere::custom
