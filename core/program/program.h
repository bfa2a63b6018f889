// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/base/workspace_pool.h"
#include "core/mechanics/sphere.h"
#include "core/program/dual.h"
#include "core/program/machine_code.h"
#include "core/program/stage.h"

/// Expressions as programs for a register machine, with exact derivatives.
///
/// From an expression to its values:
///   tree.h          nodes with types, whose names are numbers of bodies, parameters and indices
///                   (Bindings). core/custom/checker.h writes them; nothing here knows a text.
///   constants.h     values of nodes that depend on parameters alone, taken once; sums over indices
///   lowering.h      nodes become stages (stage.h), written instruction by instruction
///                   (stage_writer.h): constants are folded, equal instructions written once, and
///                   short programs have no loops. Files: lowering_expressions, lowering_sums.
///   program.h       stages in order, the arrays between them, and which instructions a reverse
///                   sweep needs
///   machine.h       what each instruction does, once, for any type of number: double and Dual
///                   (dual.h) make the tape, eight or sixteen lanes at a time (lanes.h); Symbol
///                   writes LLVM's instructions (llvm_symbol.h, llvm_emission.h)
///   compilation.h   machine code of a structure, shared by all programs that differ in constants
///                   alone, made on another thread while the tape works
/// The tape always works, and machine code gives the same bits: so a run neither depends on whether
/// LLVM is installed nor on when the code is ready. That is why there is one definition of every
/// instruction, and why no operation is reordered.
///
/// Limits (tree.h) are counted in operations and numbers, not in seconds and bytes: what is refused
/// is refused on every computer.
///
/// A program is a list of stages. A stage evaluates one body, straight-line code without branches,
/// for all its tuples of indices, `lanes` tuples at a time, and adds what it finds to elements of
/// arrays, which later stages read. A sum within a sum is a separate stage, with one element for
/// each tuple that it depends on, so nothing is nested.
///
/// Reverse mode: the stages in reverse order; for each batch of tuples the body is evaluated again
/// as far as its derivatives need it, then run backwards from the adjoints of the elements to which
/// it contributed. Values that only linear operations read are not evaluated for it. With Dual
/// numbers in place of double the same code gives derivatives along a direction, of the reverse
/// sweep the product of the Hessian and that direction.
namespace twosphere::custom {

/// Where a program is evaluated.
struct Point {
  double t = 0;
  const Columns* q = nullptr;
  const Columns* w = nullptr;  ///< if the program reads w or v
};

class Compilation;

class Program {
 public:
  /// Arrays that are always there; the output comes next.
  enum Given { q, w, v, output };

  static constexpr int lanes = 16;

  Program() = default;
  Program(std::vector<Array> arrays, std::vector<Stage> stages, std::vector<double> base,
          bool reads_w);

  /// Whether it has no outputs that depend on anything.
  bool empty() const { return stages_.empty(); }
  std::size_t outputs() const { return base_.size(); }
  long operations() const;

  /// Gets ready to be compiled for these functions; not after force_back_end("tape").
  void prepare(const Uses& uses);
  /// From now on, or as soon as it is made in the background, machine code does what was prepared:
  /// core/program/compilation.h. Results are equal bit for bit. False where it cannot be made, or
  /// is not yet, and the tape continues.
  bool compile() const;

  /// The outputs.
  void evaluate(const Point& at, double* out) const;
  /// Their derivatives along d.
  void evaluate_along(const Point& at, const Columns& d, double* out) const;
  /// g_i += Σ seed ∂output/∂q_i.
  void pull_back(const Point& at, const double* seed, Columns& g) const;
  /// h_i += the derivative of that along d.
  void pull_back_along(const Point& at, const Columns& d, const double* seed, Columns& h) const;

 private:
  struct Workspace {
    std::vector<double> numbers;
    std::vector<Dual> duals;
    std::vector<void*> pointers;
  };
  template <class T>
  struct Memory;
  /// `wanted`: the function for which it is.
  template <class T, class Use>
  void with_memory(bool Uses::*wanted, const Use& use) const;
  template <class T>
  void call(StageFunction function, const Memory<T>& memory, std::size_t stage, double t) const;
  template <class T>
  void forward(Memory<T>& memory, double t, bool all) const;
  template <class T>
  void backward(Memory<T>& memory, double t) const;
  /// Puts columns where the program reads them.
  void take(Memory<double>& memory, Given array, const Columns& columns) const;
  void analyse();
  /// Whether the reverse sweep reads what a stage computes.
  bool is_needed(const Stage& stage) const;

  std::vector<Array> arrays_;
  std::vector<Stage> stages_;
  std::vector<double> base_;  // of the outputs: their constant parts
  bool reads_w_ = false;
  std::size_t registers_ = 0;  // of the largest stage
  std::size_t elements_ = 0;   // numbers in all arrays
  bool loops_ = false;         // whether a stage has more than one tuple
  mutable std::unique_ptr<Pool<Workspace>> pool_;
  /// Of each stage, what machine code reads; see StageFunction.
  struct Data {
    std::vector<double> constants;
    std::vector<const void*> lists;
  };
  std::vector<Data> data_;
  Uses compiled_;
  std::shared_ptr<Compilation> compilation_;
};

}  // namespace twosphere::custom
