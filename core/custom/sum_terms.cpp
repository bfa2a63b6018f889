// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/custom/sum_terms.h"

namespace twosphere::custom {

namespace {

Ref with_parts(const Node& node, std::vector<Ref> parts, std::vector<bool> inverse) {
  auto out = std::make_shared<Node>(node);
  out->parts = std::move(parts);
  out->inverse = std::move(inverse);
  complete(*out);
  return out;
}

}  // namespace

LinearSplit split_linear(const Ref& node) {
  // Definitions are not opened: x[i] of a chain is one linear part.
  if (node->degree < 2) return {node, nullptr};
  if (node->op == Op::sum) {
    std::vector<Ref> linear, rest;
    std::vector<bool> linear_minus, rest_minus;
    for (std::size_t k = 0; k < node->parts.size(); ++k) {
      const LinearSplit part = split_linear(node->parts[k]);
      if (part.linear) {
        linear.push_back(part.linear);
        linear_minus.push_back(node->inverse[k]);
      }
      if (part.rest) {
        rest.push_back(part.rest);
        rest_minus.push_back(node->inverse[k]);
      }
    }
    // Each part keeps its sign; a side without terms stays empty.
    LinearSplit out;
    if (!linear.empty()) out.linear = with_parts(*node, linear, linear_minus);
    if (!rest.empty()) out.rest = with_parts(*node, rest, rest_minus);
    return out;
  }
  if (node->op == Op::total) {
    // Σ (a + b) = Σ a + Σ b.
    const LinearSplit body = split_linear(node->parts[0]);
    LinearSplit out;
    if (body.linear) out.linear = with_parts(*node, {body.linear}, {});
    if (body.rest) out.rest = with_parts(*node, {body.rest}, {});
    return out;
  }
  if (node->op == Op::product) {
    // A sum times constants.
    std::size_t varying = 0, which = 0;
    for (std::size_t k = 0; k < node->parts.size(); ++k)
      if (!node->parts[k]->constant()) ++varying, which = k;
    if (varying == 1 && !node->inverse[which]) {
      const LinearSplit part = split_linear(node->parts[which]);
      const auto times = [&](const Ref& factor) {
        std::vector<Ref> parts = node->parts;
        parts[which] = factor;
        return with_parts(*node, std::move(parts), node->inverse);
      };
      LinearSplit out;
      if (part.linear) out.linear = times(part.linear);
      if (part.rest) out.rest = times(part.rest);
      return out;
    }
  }
  return {nullptr, node};
}

std::vector<Term> terms(const Ref& node) {
  if (node->op != Op::sum) return {{node, false}};
  std::vector<Term> out;
  for (std::size_t k = 0; k < node->parts.size(); ++k)
    for (const Term& term : terms(node->parts[k]))
      out.push_back({term.node, term.minus != node->inverse[k]});
  return out;
}

Ref sum_of(const std::vector<Term>& terms) {
  if (terms.empty()) return nullptr;
  if (terms.size() == 1 && !terms[0].minus) return terms[0].node;
  Node sum = *terms[0].node;
  sum.op = Op::sum;
  sum.over = nullptr;
  std::vector<Ref> parts;
  std::vector<bool> minus;
  for (const Term& term : terms) {
    parts.push_back(term.node);
    minus.push_back(term.minus);
  }
  return with_parts(sum, std::move(parts), std::move(minus));
}

std::optional<DampingTerm> damping_term(const Ref& node) {
  auto one = std::make_shared<Node>();
  one->value = 1;
  one->column = node->column;
  one->source = node->source;
  complete(*one);
  if (node->op == Op::w || node->op == Op::v) return DampingTerm{node, one};
  // −(c ω): the sign goes to the coefficient.
  if (node->op == Op::sum && node->parts.size() == 1) {
    auto inner = damping_term(node->parts[0]);
    if (inner && node->inverse[0]) inner->coefficient = sum_of({{inner->coefficient, true}});
    return inner;
  }
  if (node->op != Op::product) return {};
  std::optional<DampingTerm> out;
  std::vector<Ref> factors;
  std::vector<bool> inverse;
  for (std::size_t k = 0; k < node->parts.size(); ++k) {
    const Ref& part = node->parts[k];
    // c ω with one factor ω and constants; anything else is a force that depends on ω.
    if (part->reads_w) {
      if (out || node->inverse[k]) return {};
      out = damping_term(part);
      if (!out) return {};
      factors.push_back(out->coefficient);
      inverse.push_back(false);
    } else if (part->constant() && !part->is_vector) {
      factors.push_back(part);
      inverse.push_back(node->inverse[k]);
    } else {
      return {};
    }
  }
  if (!out) return {};
  Node product = *node;
  product.is_vector = false;
  out->coefficient = with_parts(product, std::move(factors), std::move(inverse));
  return out;
}

}  // namespace twosphere::custom
