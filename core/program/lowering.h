// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/program/constants.h"
#include "core/program/program.h"
#include "core/program/stage_writer.h"

namespace twosphere::custom {

/// A value that an entry of a program adds to one of its outputs, for all tuples of `over`.
struct OutputTerm {
  Ref value;
  std::shared_ptr<const Range> over;  ///< null: once
  /// The number of the output, with the variables of `over` set.
  std::function<int(Constants&, Indices&)> output;
};

/// Where a program finds v_i.
enum class Velocities {
  of_w,    ///< ω_i × q_i, along which there are no derivatives
  beside,  ///< column n + i of q: variables as the q_i. Such a program does not read ω
};

/// Translates expressions into a program whose outputs are numbers or vectors (`width` 1 or 3).
/// What depends on parameters alone is evaluated now. A program of few operations is written out
/// without loops; in others each sum is a stage. Throws TextException where an index is out
/// of its range or the limits are exceeded.
Program build(Constants& constants, std::span<const OutputTerm> terms, int outputs, int width,
              Velocities velocities = Velocities::of_w);

/// Index variables with their values at each tuple.
struct Tuples {
  int count = 1;
  std::vector<std::pair<int, std::vector<int>>> values;
  std::vector<char> dead;  // tuples for which a choice makes the value irrelevant; or empty

  void load(Indices& indices, int tuple) const {
    for (const auto& [variable, column] : values) indices[at(variable)] = column[at(tuple)];
  }
  bool is_dead(int tuple) const { return !dead.empty() && dead[at(tuple)] != 0; }
};

/// Writes the stages of a program.
class Lowering {
 public:
  /// `straight`: without loops, as long as that is short; build() throws StageWriter::TooLong.
  Lowering(Constants& constants, int outputs, int width, Velocities velocities, bool straight);

  Program build(std::span<const OutputTerm> terms);

 private:
  void add(const OutputTerm& term, StageWriter& root);

  /// The tuples of a range that none surrounds, and the outputs of each.
  Tuples all(const Range& range, std::vector<int>& outputs,
             const std::function<int(Constants&, Indices&)>& output);

  static Tuples single(const Tuples& tuples, int k);
  /// Adds a value to outputs or elements of an array.
  void write_output(StageWriter& to, const Value& value, const std::vector<int>& elements);
  void store(StageWriter& to, const Value& value, int array, const std::vector<int>& elements);

  void finish(StageWriter writing, int count);
  void check_limits() const;
  /// Gives straight code up before more tuples are visited than it has room for.
  void check_straight(int tuples) const;
  /// The same, and fails before tuples take more memory than there may be.
  void check_tuples(const Range& range, const Tuples& tuples) const;
  int new_array(int width, int size);

  // Expressions.

  Value lower(const Node& node, StageWriter& to, const Tuples& tuples);
  /// What depends on parameters and indices alone.
  Value fixed(const Node& node, StageWriter& to, const Tuples& tuples);

  /// Element numbers by tuple.
  std::vector<int> elements(const Node& of, const Tuples& tuples, int size);
  Value gather(StageWriter& to, int array, const std::vector<int>& which);
  Value state(const Node& node, int array, StageWriter& to, const Tuples& tuples);
  Value use(const Node& node, StageWriter& to, const Tuples& tuples);
  /// The array of a definition for all bodies, evaluated once.
  int named_array(int which);

  Value sum(const Node& node, StageWriter& to, const Tuples& tuples);
  Value product(const Node& node, StageWriter& to, const Tuples& tuples);
  Value power(const Node& node, StageWriter& to, const Tuples& tuples);
  /// (c |v|)ᵖ or (c/|v|)ᵖ of an even p ≠ 0 as cᵖ (v·v)^{±p/2}, which takes no root, and likewise of
  /// an angle in the place of |v|, whose square has derivatives where it is 0; none of other bases,
  /// and where cᵖ is 0 or infinite.
  std::optional<Value> even_power(const Node& base, int p, StageWriter& to, const Tuples& tuples);
  Value dot(const Node& node, StageWriter& to, const Tuples& tuples);
  Value choose(const Node& node, StageWriter& to, const Tuples& tuples);

  // Sums.

  /// The tuples of a sum within others: one segment of them for all outer tuples that agree in the
  /// variables on which the sum depends.
  struct Inner {
    Tuples tuples;
    std::vector<int> segment;     // by inner tuple
    std::vector<int> segment_of;  // by outer tuple
    int segments = 0;
  };
  Inner inner(const Node& node, const Tuples& tuples);
  Value total(const Node& node, StageWriter& to, const Tuples& tuples);
  /// Σ_{j ≤ e} or Σ_{j < e} of what depends on j alone, for many e: from the sums up to each j.
  std::optional<Value> running_total(const Node& node, StageWriter& to, const Tuples& tuples);
  Value total_product(const Node& node, StageWriter& to, const Tuples& tuples);

  Constants& constants_;
  const Bindings& bindings_;
  Indices indices_;
  Velocities velocities_;
  bool straight_;
  int width_;
  std::vector<Array> arrays_;
  std::vector<Stage> stages_;
  std::vector<double> base_;
  bool reads_w_ = false;
  std::map<int, Growth> growths_;                        // of arrays that loops fill
  std::map<int, int> named_arrays_;                      // of definitions, in loops
  std::map<std::pair<int, int>, Value> straight_named_;  // their elements, in straight code
  const Node* here_ = nullptr;                           // for errors of limits
  int lowered_ = 0;                                      // parts of expressions
  long operations_ = 0;
  std::size_t numbers_ = 0;
};

}  // namespace twosphere::custom
