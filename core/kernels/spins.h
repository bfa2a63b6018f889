// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/mechanics/sphere.h"

/// Spins on a lattice with one site per cell whose bonds of one direction are all alike.
namespace twosphere::spin_kernel {

/// A bond from every cell to the one `dx`, `dy` and `dz` further, each −1, 0 or 1, if there is one.
struct Neighbour {
  int dx, dy, dz;
  Vec3 dm;  ///< D of the bonds [J]
};

/// The couplings of spins q_i at the cells (x, y, z), i = (z·ny + y)·nx + x, to their neighbours,
/// and those of single spins:
///   H = −Σ_bonds [J q_i·q_j + b (q_i·q_j)² + D·(q_i × q_j)] − Σ_i [K_i (n·q_i)² + B·q_i]
struct Couplings {
  std::array<std::ptrdiff_t, 3> size;  ///< nx, ny, nz
  bool periodic;
  std::vector<Neighbour> neighbours;
  double exchange, biquadratic;  ///< J, b [J]
  Eigen::VectorXd anisotropy;    ///< K_i [J]; empty: 0
  Vec3 axis, field;              ///< n, |n| = 1, and B [J]
};

/// Energy, gradient and Hessian of the couplings. O(bonds); the same bits on all instruction set
/// levels and for any number of threads. Immutable; every function may be called from several
/// threads at the same time.
class Lattice {
 public:
  explicit Lattice(Couplings couplings);
  ~Lattice();
  Lattice(const Lattice&) = delete;
  Lattice& operator=(const Lattice&) = delete;

  double energy(const Columns& q) const;              ///< H [J]
  void gradient(const Columns& q, Columns& g) const;  ///< g_i = ∂H/∂q_i [J]
  void hessian_times(const Columns& q, const Columns& v,
                     Columns& h) const;  ///< Σ_j ∂²H/∂q_i∂q_j v_j

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace twosphere::spin_kernel
