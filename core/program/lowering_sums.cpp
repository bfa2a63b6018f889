// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/program/lowering.h"

namespace twosphere::custom {

Lowering::Inner Lowering::inner(const Node& node, const Tuples& tuples) {
  Inner out;
  out.tuples.count = 0;
  out.segment_of.assign(at(tuples.count), 0);
  for (const int variable : node.indices)
    out.tuples.values.emplace_back(variable, std::vector<int>());
  for (const int variable : node.over->variables)
    out.tuples.values.emplace_back(variable, std::vector<int>());
  // Outer tuples that agree in what the sum reads share one segment: Σ_j of a potential over i, j
  // is taken once for each i.
  std::map<std::vector<int>, int> known;
  for (int k = 0; k < tuples.count; ++k) {
    if (tuples.is_dead(k)) continue;
    tuples.load(indices_, k);
    std::vector<int> key;
    for (const int variable : node.indices) key.push_back(indices_[at(variable)]);
    const auto [segment, added_now] = known.try_emplace(key, out.segments);
    out.segment_of[at(k)] = segment->second;
    if (!added_now) continue;
    const int s = out.segments++;
    constants_.enumerate(*node.over, indices_, [&] {
      for (auto& [variable, column] : out.tuples.values) column.push_back(indices_[at(variable)]);
      out.segment.push_back(s);
      ++out.tuples.count;
      check_tuples(*node.over, out.tuples);
    });
  }
  return out;
}

Value Lowering::total(const Node& node, StageWriter& to, const Tuples& tuples) {
  if (!straight_)
    if (const auto sum = running_total(node, to, tuples)) return *sum;
  const Inner in = inner(node, tuples);
  if (straight_) {
    std::vector<Value> terms;
    for (int k = 0; k < in.tuples.count; ++k)
      terms.push_back(lower(*node.parts[0], to, single(in.tuples, k)));
    return to.added(terms, node.is_vector);
  }
  if (in.tuples.count == 0) return {Vec3::Zero().eval(), -1, 1, false};
  StageWriter loop;
  const Value body = lower(*node.parts[0], loop, in.tuples);
  const int array = new_array(node.is_vector ? 3 : 1, in.segments);
  here_ = &node;
  const Value term = body.uniform ? loop.plain(body, node.is_vector) : body;
  if (term.scale > 0) growths_[array].order = loop.growth(term).order;
  store(loop, term, array, in.segment);
  finish(std::move(loop), in.tuples.count);
  return gather(to, array, in.segment_of);
}

std::optional<Value> Lowering::running_total(const Node& node, StageWriter& to,
                                             const Tuples& tuples) {
  const Range& over = *node.over;
  if (tuples.count < 4 || over.list >= 0 || over.variables.size() != 1 ||
      over.conditions.size() != 1 || node.indices.empty())
    return {};
  const int j = over.variables[0];
  if (node.parts[0]->indices != std::vector<int>{j}) return {};
  // Only Σ over j ≤ e, j < e, e ≥ j or e > j, with an e that j is not in.
  const Range::Condition& c = over.conditions[0];
  const bool below = c.relation == Relation::at_most || c.relation == Relation::less;
  const bool above = c.relation == Relation::at_least || c.relation == Relation::greater;
  const auto is_j = [&](const Ref& side) { return side->op == Op::index && side->which == j; };
  const bool reads_j = [&](const Ref& side) {
    return std::binary_search(side->indices.begin(), side->indices.end(), j);
  }(below ? c.right : c.left);
  if (!((below && is_j(c.left)) || (above && is_j(c.right))) || reads_j) return {};
  const Ref& bound = below ? c.right : c.left;
  const bool closed = c.relation == Relation::at_most || c.relation == Relation::at_least;
  // How many terms for each tuple.
  std::vector<int> terms(at(tuples.count), 0);
  int max_terms = 0;
  for (int k = 0; k < tuples.count; ++k) {
    if (tuples.is_dead(k)) continue;
    tuples.load(indices_, k);
    const long e = constants_.index(*bound, indices_) + (closed ? 1 : 0);
    terms[at(k)] = static_cast<int>(std::clamp<long>(e, 0, constants_.bodies()));
    max_terms = std::max(max_terms, terms[at(k)]);
  }
  if (max_terms == 0) return Value{Vec3::Zero().eval(), -1, 1, false};
  Tuples inner_tuples;
  inner_tuples.count = max_terms;
  std::vector<int> elements(at(max_terms));
  for (int i = 0; i < max_terms; ++i) elements[at(i)] = i;
  inner_tuples.values.emplace_back(j, elements);
  StageWriter loop;
  const int width = node.is_vector ? 3 : 1;
  const Value body = lower(*node.parts[0], loop, inner_tuples);
  Stage sums;
  sums.kind = Stage::Kind::running;
  sums.from = new_array(width, max_terms);
  sums.to = new_array(width, max_terms + 1);
  store(loop, body.uniform ? loop.plain(body, node.is_vector) : body, sums.from, elements);
  arrays_[at(sums.to)].active = arrays_[at(sums.from)].active;
  finish(std::move(loop), max_terms);
  const int array = sums.to;
  stages_.push_back(std::move(sums));
  return gather(to, array, terms);
}

Value Lowering::total_product(const Node& node, StageWriter& to, const Tuples& tuples) {
  const Inner in = inner(node, tuples);
  if (straight_) {
    std::optional<Value> product;
    double scale = 1;
    for (int k = 0; k < in.tuples.count; ++k) {
      const Value factor = lower(*node.parts[0], to, single(in.tuples, k));
      if (factor.uniform)
        scale *= (*factor.uniform)[0];
      else
        product = product ? to.multiplied(*product, factor) : factor;
    }
    return product ? scaled(*product, scale) : number(scale);
  }
  if (in.tuples.count == 0) return number(1);
  StageWriter loop;
  const Value body = loop.plain(lower(*node.parts[0], loop, in.tuples), false);
  Stage products;
  products.kind = Stage::Kind::product;
  products.from = new_array(1, in.tuples.count);
  products.to = new_array(1, in.segments);
  std::vector<int> elements(at(in.tuples.count));
  for (int k = 0; k < in.tuples.count; ++k) elements[at(k)] = k;
  store(loop, body, products.from, elements);
  arrays_[at(products.to)].active = arrays_[at(products.from)].active;
  finish(std::move(loop), in.tuples.count);
  // Empty segments begin where the next one does: their product is 1.
  products.starts.assign(at(in.segments) + 1, in.tuples.count);
  for (int k = in.tuples.count - 1; k >= 0; --k) products.starts[at(in.segment[at(k)])] = k;
  for (int s = in.segments - 1; s >= 0; --s)
    products.starts[at(s)] = std::min(products.starts[at(s)], products.starts[at(s) + 1]);
  const int array = products.to;
  stages_.push_back(std::move(products));
  return gather(to, array, in.segment_of);
}

}  // namespace twosphere::custom
