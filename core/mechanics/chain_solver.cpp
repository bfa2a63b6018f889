// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/chain_solver.h"

#include <Eigen/LU>
#include <type_traits>
#include <utility>

namespace twosphere {

namespace {

/// act(0) … act(size − 1), unrolled, so that the indexed values can stay in registers.
template <int size, class Act>
[[gnu::always_inline]] inline void each(Act act) {
  [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) { (act(i), ...); }
  (std::make_integer_sequence<int, size>());
}

template <class T>
struct Vector {
  T at[3];

  T operator[](int i) const { return at[i]; }
  friend Vector operator+(const Vector& a, const Vector& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
  }
  friend Vector operator-(const Vector& a, const Vector& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  }
  friend Vector operator*(T s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }
  T dot(const Vector& b) const { return at[0] * b[0] + at[1] * b[1] + at[2] * b[2]; }
  Vector cross(const Vector& b) const {
    return {at[1] * b[2] - at[2] * b[1], at[2] * b[0] - at[0] * b[2], at[0] * b[1] - at[1] * b[0]};
  }
};

/// A 3×3 matrix; of a symmetric one only the upper half is stored.
template <class T, bool symmetric>
struct Matrix {
  static constexpr int size = symmetric ? 6 : 9;
  static constexpr int index[3][3] = {
      {0, 1, 2}, {symmetric ? 1 : 6, 3, 4}, {symmetric ? 2 : 7, symmetric ? 4 : 8, 5}};
  T at[size];

  T operator()(int r, int c) const { return at[index[r][c]]; }
  T trace() const { return at[0] + at[3] + at[5]; }
  Vector<T> operator*(const Vector<T>& v) const {
    const Matrix& m = *this;
    return {m(0, 0) * v[0] + m(0, 1) * v[1] + m(0, 2) * v[2],
            m(1, 0) * v[0] + m(1, 1) * v[1] + m(1, 2) * v[2],
            m(2, 0) * v[0] + m(2, 1) * v[1] + m(2, 2) * v[2]};
  }
  Vector<T> transposed_times(const Vector<T>& v) const {
    const Matrix& m = *this;
    return {m(0, 0) * v[0] + m(1, 0) * v[1] + m(2, 0) * v[2],
            m(0, 1) * v[0] + m(1, 1) * v[1] + m(2, 1) * v[2],
            m(0, 2) * v[0] + m(1, 2) * v[1] + m(2, 2) * v[2]};
  }
  friend Matrix operator*(T s, const Matrix& m) {
    return of([&](int r, int c) { return s * m(r, c); });
  }
  /// Σ_rs m_rs o_sr.
  T contract(const Matrix& o) const {
    const T diagonal = at[0] * o.at[0] + at[3] * o.at[3] + at[5] * o.at[5];
    if constexpr (symmetric) {
      const T upper = at[1] * o.at[1] + at[2] * o.at[2] + at[4] * o.at[4];
      return diagonal + (upper + upper);
    } else {
      return diagonal + (at[1] * o.at[6] + at[2] * o.at[7] + at[4] * o.at[8]) +
             (at[6] * o.at[1] + at[7] * o.at[2] + at[8] * o.at[4]);
    }
  }
  /// From its entries, functions of row and column.
  template <class Entry>
  [[gnu::always_inline]] static Matrix of(Entry entry) {
    Matrix m;
    m.at[0] = entry(0, 0), m.at[1] = entry(0, 1), m.at[2] = entry(0, 2);
    m.at[3] = entry(1, 1), m.at[4] = entry(1, 2), m.at[5] = entry(2, 2);
    if constexpr (!symmetric) m.at[6] = entry(1, 0), m.at[7] = entry(2, 0), m.at[8] = entry(2, 1);
    return m;
  }
};

/// Everything on one side of a mass, including the mass: X = p + W G. W, Z and w are stored as
/// multiples by σ.
template <class T, bool symmetric>
struct Side {
  Matrix<T, symmetric> w, adjugate;
  T determinant, sigma, inverse;  // 1/σ
  Vector<T> p;
};

/// A link, seen from the eliminated side.
template <class T>
struct Link {
  Vector<T> c, e;
  T inverse_length, rotary_inertia;  // 1/l, d̂
  Vector<T> known;                   // l ν e
  Vector<T> rest;                    // (r + D ν e)/l
};

/// A side together with the next link: G = (ρ/δ) (X − x).
template <class T, bool symmetric>
struct Reached {
  Vector<T> x;
  Matrix<T, symmetric> outer;  // c eᵀ
  T theta, square;             // θ, d̂² θ
  Matrix<T, symmetric> rho;
  T delta, along, trace;  // δ, d̂ θ (2 + d̂ tr W), tr ρ: they and ρ are multiples by σ
};

template <class T, bool symmetric>
[[gnu::always_inline]] inline Reached<T, symmetric> reach(const Side<T, symmetric>& side,
                                                          const Link<T>& link) {
  const Vector<T>&c = link.c, &e = link.e;
  Reached<T, symmetric> reached;
  reached.outer = Matrix<T, symmetric>::of([&](int r, int s) -> T { return c[r] * e[s]; });
  const T d = link.rotary_inertia, theta = reached.outer.trace(), dt = d * theta, square = d * dt;
  const T ewc = side.w.contract(reached.outer), diagonal = d * ewc;
  const T wide = side.sigma + d * side.w.trace(), area = side.adjugate.trace();
  // δ and tr ρ
  reached.theta = theta;
  reached.square = square;
  reached.along = dt * (side.sigma + wide);
  reached.trace = square * area + theta * wide + diagonal;
  reached.delta =
      d * (theta * area - side.adjugate.contract(reached.outer)) + square * side.determinant + ewc;
  // ρ = (1 + d̂ tr W) c eᵀ − d̂ (c (Wᵀe)ᵀ + Wc eᵀ) + d̂ (e·Wc) I + d̂² θ Z
  const Vector<T> along = d * (side.w * c);
  Vector<T> across = wide * e - along;
  if constexpr (!symmetric) across = wide * e - d * side.w.transposed_times(e);
  reached.rho = Matrix<T, symmetric>::of([&](int r, int s) -> T {
    const T entry = square * side.adjugate(r, s) + (c[r] * across[s] - along[r] * e[s]);
    return r == s ? entry + diagonal : entry;
  });
  // x = p − l ν e
  reached.x = side.p - link.known;
  return reached;
}

/// The side extended by the link and the mass after it; `jump` = r/l − r'/l'.
template <class T, bool symmetric>
[[gnu::always_inline]] inline Side<T, symmetric> add_mass(const Side<T, symmetric>& side,
                                                          const Link<T>& link,
                                                          const Reached<T, symmetric>& reached,
                                                          T mass, const Vector<T>& jump) {
  // tr ρ + m δ
  const T spread = reached.trace + mass * reached.delta;
  // The next σ is D/σ, with the σ of this side, so that nothing depends on a division.
  const T scale = side.inverse, kept = scale * reached.square, gone = scale * mass;
  const T diagonal = link.rotary_inertia * reached.theta + gone * spread,
          own = gone * reached.delta;
  Side<T, symmetric> next;
  // W, Z and w of the next side, as multiples by σ.
  next.w = Matrix<T, symmetric>::of([&](int r, int s) -> T {
    const T entry =
        kept * side.w(r, s) - link.rotary_inertia * reached.outer(r, s) - gone * reached.rho(r, s);
    return r == s ? entry + diagonal : entry;
  });
  next.adjugate = Matrix<T, symmetric>::of([&](int r, int s) -> T {
    const T entry = scale * reached.rho(r, s);
    return r == s ? entry + own : entry;
  });
  next.determinant = scale * reached.delta;
  next.sigma = reached.square + gone * (reached.along + mass * spread);
  next.inverse = 1 / next.sigma;
  // p = x + W (r/l − r'/l' − m x)
  next.p = reached.x + next.inverse * (next.w * (jump - mass * reached.x));
  return next;
}

/// Values of two links, or of the one at the free end that has no partner.
template <class T>
inline T pick(const double* x, Eigen::Index tip, Eigen::Index base) {
  if constexpr (std::is_same_v<T, double>)
    return x[tip];
  else
    return T{x[tip], x[base]};
}
template <class T>
inline Vector<T> pick(const Columns& x, Eigen::Index tip, Eigen::Index base) {
  const double* at = x.data();
  return {pick<T>(at, 3 * tip, 3 * base), pick<T>(at, 3 * tip + 1, 3 * base + 1),
          pick<T>(at, 3 * tip + 2, 3 * base + 2)};
}
/// +1 on the side of the free end; −1 on the side of the base, where links are traversed in the
/// opposite direction.
template <class T>
inline T direction() {
  if constexpr (std::is_same_v<T, double>)
    return 1;
  else
    return T{1, -1};
}

template <class T, bool symmetric>
[[gnu::always_inline]] inline Link<T> make_link(const SerialSolver::Problem& p, Eigen::Index tip,
                                                Eigen::Index base) {
  Link<T> link;
  link.e = pick<T>(p.right, tip, base);
  link.c = symmetric ? link.e : pick<T>(p.left, tip, base);
  // d̂ = (D + d)/l²
  const T l = pick<T>(p.length.data(), tip, base),
          inverse = pick<T>(p.inverse_length.data(), tip, base), square = inverse * inverse;
  const T none = l - l;
  const T own = p.rotary_inertia ? square * pick<T>(p.rotary_inertia->data(), tip, base) : none;
  link.inverse_length = inverse;
  link.rotary_inertia = p.extra ? own + square * pick<T>(p.extra->data(), tip, base) : own;
  // r/l, and with ν: l ν e and D ν e/l.
  link.rest = (inverse * direction<T>()) * pick<T>(p.rest, tip, base);
  link.known = {none, none, none};
  if (p.normal) {
    link.known = (l * direction<T>() * pick<T>(p.normal->data(), tip, base)) * link.e;
    if (p.rotary_inertia) link.rest = link.rest + own * link.known;
  }
  return link;
}

inline double lane(double x, int) { return x; }
template <class T>
double lane(T pair, int k) {
  return pair[k];
}
template <class T>
Vector<double> lane(const Vector<T>& v, int k) {
  return {lane(v[0], k), lane(v[1], k), lane(v[2], k)};
}
template <class T, bool symmetric>
Matrix<double, symmetric> lane(const Matrix<T, symmetric>& m, int k) {
  return Matrix<double, symmetric>::of([&](int r, int s) { return lane(m(r, s), k); });
}

/// Writes a = s/l for the links with relative acceleration s = `moved`, with the rounding error
/// along e removed.
template <class T>
[[gnu::always_inline]] inline void write(const Columns& right, Eigen::Index tip, Eigen::Index base,
                                         T inverse_length, const Vector<T>& moved, Columns& a) {
  const Vector<T> e = pick<T>(right, tip, base);
  const Vector<T> raw = (direction<T>() * inverse_length) * moved;
  const Vector<T> s = raw - (e.dot(raw) / e.dot(e)) * e;
  double* const out = a.data();
  each<3>([&](int r) {
    out[3 * tip + r] = lane(s[r], 0);
    if constexpr (!std::is_same_v<T, double>) out[3 * base + r] = lane(s[r], 1);
  });
}

}  // namespace

SerialSolver::SerialSolver(Eigen::Index n) : nodes_(static_cast<std::size_t>(n / 2)) {}

void SerialSolver::solve(const Problem& problem, Columns& a) {
  if (&problem.left == &problem.right)
    solve<true>(problem, a);
  else
    solve<false>(problem, a);
}

template <bool symmetric>
void SerialSolver::solve(const Problem& p, Columns& a) {
  const Eigen::Index n = a.cols(), odd = n % 2, pairs = n / 2;
  const double* const mass = p.mass.data();
  constexpr int size = Matrix<double, symmetric>::size;

  // The last mass and, if it has no partner, the last link.
  Side<double, symmetric> end{};
  const double inverse = 1 / mass[n - 1];
  for (const int i : {0, 3, 5}) {
    end.w.at[i] = inverse;
    end.adjugate.at[i] = inverse * inverse;
  }
  end.determinant = inverse * inverse * inverse;
  end.sigma = end.inverse = 1;
  Matrix<double, symmetric> rho, w{};
  double delta = 0, inverse_length = 0;
  Vector<double> x{}, held{}, jump_held{}, end_jump{}, free{};
  // Mobility of the base, 0 if it is fixed.
  const double base = p.base_mass > 0 ? 1 / p.base_mass : 0;
  if (odd) {
    const Link<double> last = make_link<double, symmetric>(p, n - 1, 0);
    inverse_length = last.inverse_length;
    end.p = free = -inverse * last.rest;
    const Reached<double, symmetric> reached = reach(end, last);
    if (pairs > 0) {
      end_jump = last.rest - make_link<double, symmetric>(p, n - 2, 0).rest;
      end = add_mass(end, last, reached, mass[n - 2], end_jump);
    }
    rho = reached.rho;
    delta = reached.delta;
    x = reached.x;
    if (pairs == 0 && base > 0) {
      // The base is the mass at the other end of the only link.
      for (const int i : {0, 3, 5}) w.at[i] = base;
      held = base * last.rest;
    }
  }

  // Eliminate both sides towards the middle.
  if (pairs > 0) {
    Link<Pair> link = make_link<Pair, symmetric>(p, n - 1 - odd, 0);
    Side<Pair, symmetric> side;
    each<size>([&](int i) {
      side.w.at[i] = Pair{end.w.at[i], 0};
      side.adjugate.at[i] = Pair{end.adjugate.at[i], 0};
    });
    side.determinant = Pair{end.determinant, 0};
    side.sigma = Pair{end.sigma, 1};
    side.inverse = Pair{end.inverse, 1};
    if (!odd) end.p = -inverse * lane(link.rest, 0);
    Vector<double> base_p{};
    if (base > 0) {
      // A free base is a mass at the beginning, as the one at the free end.
      for (const int i : {0, 3, 5}) {
        side.w.at[i][1] = base;
        side.adjugate.at[i][1] = base * base;
      }
      side.determinant[1] = base * base * base;
      base_p = -base * lane(link.rest, 1);
    }
    Vector<Pair> jump;
    each<3>([&](int r) {
      side.p.at[r] = Pair{end.p[r], base_p[r]};
      jump.at[r] = Pair{end_jump[r], 0};
    });
    Reached<Pair, symmetric> reached;
    Pair added{mass[n - 1 - odd], 0};
    for (Eigen::Index j = 0; j < pairs; ++j) {
      Node& node = nodes_[static_cast<std::size_t>(j)];
      // Store W and p of this mass for the way back.
      each<size>([&](int i) { node.w[i] = side.inverse * side.w.at[i]; });
      each<3>([&](int r) {
        node.p[r] = side.p[r];
        node.jump[r] = jump[r];
      });
      node.mass = added;
      node.inverse_length = link.inverse_length;
      // Eliminate the link and add the next mass, on both sides at once.
      reached = reach(side, link);
      const Eigen::Index tip = n - 1 - odd - j;
      const Link<Pair> next = make_link<Pair, symmetric>(p, tip - 1, j + 1);
      added = Pair{mass[tip - 1], mass[j]};
      jump = link.rest - next.rest;
      side = add_mass(side, link, reached, added, jump);
      link = next;
    }
    rho = lane(reached.rho, 0);
    delta = lane(reached.delta, 0);
    x = lane(reached.x, 0);
    w = lane(side.inverse * side.w, 1);
    held = lane(side.p, 1);
    jump_held = lane(jump, 1);
  }
  // At the middle mass: G = (ρ/δ) (X − x) on the free side, X = p − W G on the base's.
  const Vector<double> pulled = rho * (held - x);
  Vector<double> column[3];  // of δ I + ρ W
  each<3>([&](int s) {
    column[s] = rho * Vector<double>{w(0, s), w(1, s), w(2, s)};
    column[s].at[s] += delta;
  });
  // Cramer's rule for G.
  const Vector<double> normal = column[1].cross(column[2]), turned = pulled.cross(column[0]);
  const Vector<double> force =
      (1 / column[0].dot(normal)) *
      Vector<double>{pulled.dot(normal), -column[2].dot(turned), column[1].dot(turned)};
  const Vector<double> middle = held - w * force;

  // Back substitution from the middle to both ends.
  Vector<double> g = force, above = middle;
  if (pairs > 0) {
    // Force on the base's side, from the balance of the middle mass.
    const Vector<double> back = jump_held - force - mass[pairs - 1] * middle;
    Vector<Pair> gs, before;
    each<3>([&](int r) {
      gs.at[r] = Pair{force[r], back[r]};
      before.at[r] = Pair{middle[r], middle[r]};
    });
    for (Eigen::Index j = pairs; j-- > 0;) {
      const Node& node = nodes_[static_cast<std::size_t>(j)];
      Matrix<Pair, symmetric> mobility;
      each<size>([&](int i) { mobility.at[i] = node.w[i]; });
      const Vector<Pair> own{node.p[0], node.p[1], node.p[2]},
          jump{node.jump[0], node.jump[1], node.jump[2]};
      // X = p + W G, a = ΔX/l, and the force of the next link.
      const Vector<Pair> now = own + mobility * gs;
      const Eigen::Index tip = n - 1 - odd - j;
      write<Pair>(p.right, tip, j, node.inverse_length, now - before, a);
      gs = gs + jump - node.mass * now;
      before = now;
    }
    g = lane(gs, 0);
    above = lane(before, 0);
  }
  if (odd) write<double>(p.right, n - 1, 0, inverse_length, free + inverse * g - above, a);
}

bool SerialSolver::definite(const Eigen::VectorXd& mass, const Eigen::VectorXd& length,
                            const Eigen::VectorXd* rotary_inertia, double base_mass,
                            const Eigen::VectorXd& d, const Columns& q) {
  // Block elimination of the velocities of the links from the free end; all pivots must be
  // positive.
  Mat3 a = Mat3::Zero();
  for (Eigen::Index i = q.cols(); i-- > 0;) {
    a.diagonal().array() += mass[i];
    const Eigen::Matrix<double, 3, 2> basis = tangent_basis(q.col(i)), across = a * basis;
    // 2×2 pivot on the tangent plane.
    Eigen::Matrix2d pivot = basis.transpose() * across;
    const double sum = rotary_inertia ? (*rotary_inertia)[i] + d[i] : d[i];
    pivot.diagonal().array() += sum / (length[i] * length[i]);
    if (!(pivot(0, 0) > 0 && pivot.determinant() > 0)) return false;
    // Make it exactly symmetric: an asymmetry would grow from link to link.
    const Mat3 less = across * pivot.inverse() * across.transpose();
    a -= (less + less.transpose()) / 2;
  }
  if (base_mass == 0) return true;
  // The velocity of a free base is eliminated last.
  a.diagonal().array() += base_mass;
  return a(0, 0) > 0 && a.topLeftCorner<2, 2>().determinant() > 0 && a.determinant() > 0;
}

}  // namespace twosphere
