// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serial_solver.h"

#include <Eigen/LU>
#include <type_traits>

namespace twosphere {

namespace {

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
};

/// A 3×3 matrix, of a symmetric one only the upper half.
template <class T, bool symmetric>
struct Matrix {
  static constexpr int size = symmetric ? 6 : 9;
  static constexpr int place[3][3] = {
      {0, 1, 2}, {symmetric ? 1 : 6, 3, 4}, {symmetric ? 2 : 7, symmetric ? 4 : 8, 5}};
  T at[size];

  T operator()(int r, int c) const { return at[place[r][c]]; }
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
  /// From its entries, functions of row and column.
  template <class Entry>
  static Matrix of(Entry entry) {
    Matrix m;
    m.at[0] = entry(0, 0), m.at[1] = entry(0, 1), m.at[2] = entry(0, 2);
    m.at[3] = entry(1, 1), m.at[4] = entry(1, 2), m.at[5] = entry(2, 2);
    if constexpr (!symmetric) m.at[6] = entry(1, 0), m.at[7] = entry(2, 0), m.at[8] = entry(2, 1);
    return m;
  }
};

/// Everything on one side of a mass, the mass included: X = p + W G.
template <class T, bool symmetric>
struct Side {
  Matrix<T, symmetric> w, adjugate;
  T determinant;
  Vector<T> p;
};

/// A link, seen from the side that is eliminated.
template <class T>
struct Link {
  Vector<T> c, e;
  T theta, own;     // e·c, d̂
  Vector<T> known;  // l ν e
  Vector<T> rest;   // (r + D ν e)/l
};

/// A side with the link that follows: G = (ρ/δ) (X − x).
template <class T, bool symmetric>
struct Reached {
  Matrix<T, symmetric> rho;
  T delta;
  Vector<T> x;
};

template <class T, bool symmetric>
inline Reached<T, symmetric> reach(const Side<T, symmetric>& side, const Link<T>& link) {
  const Vector<T>&c = link.c, &e = link.e;
  const T d = link.own, square = d * d * link.theta;
  const Vector<T> wc = side.w * c;
  const T ewc = e.dot(wc);
  Vector<T> we = wc;
  if constexpr (!symmetric) we = side.w.transposed_times(e);
  const Vector<T> across = (1 + d * side.w.trace()) * e - d * we, along = d * wc;
  const T diagonal = d * ewc;
  Reached<T, symmetric> reached;
  reached.delta = ewc + d * (link.theta * side.adjugate.trace() - e.dot(side.adjugate * c)) +
                  square * side.determinant;
  reached.rho = Matrix<T, symmetric>::of([&](int r, int s) -> T {
    const T entry = square * side.adjugate(r, s) + (c[r] * across[s] - along[r] * e[s]);
    return r == s ? entry + diagonal : entry;
  });
  reached.x = side.p - link.known;
  return reached;
}

/// The other side of the mass after the link; `jump` = r/l − r'/l'.
template <class T, bool symmetric>
inline Side<T, symmetric> add_mass(const Side<T, symmetric>& side, const Link<T>& link,
                                   const Reached<T, symmetric>& reached, T mass,
                                   const Vector<T>& jump) {
  const Vector<T>&c = link.c, &e = link.e;
  const T d = link.own, dt = d * link.theta, square = d * dt;
  const T spread = reached.rho.trace() + mass * reached.delta;
  const T scale = 1 / (square + mass * (dt * (2 + d * side.w.trace()) + mass * spread));
  const T diagonal = scale * (dt + mass * spread), own = scale * mass * reached.delta;
  const T kept = scale * square, gone = scale * mass;
  const Vector<T> dc = scale * d * c;
  Side<T, symmetric> next;
  next.w = Matrix<T, symmetric>::of([&](int r, int s) -> T {
    const T entry = kept * side.w(r, s) - dc[r] * e[s] - gone * reached.rho(r, s);
    return r == s ? entry + diagonal : entry;
  });
  next.adjugate = Matrix<T, symmetric>::of([&](int r, int s) -> T {
    const T entry = scale * reached.rho(r, s);
    return r == s ? entry + own : entry;
  });
  next.determinant = scale * reached.delta;
  next.p = reached.x + next.w * (jump - mass * reached.x);
  return next;
}

/// Numbers of two links, or of the one at the free end that has no partner.
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
/// +1 on the free end's side, −1 on the base's, where links are passed the other way.
template <class T>
inline T direction() {
  if constexpr (std::is_same_v<T, double>)
    return 1;
  else
    return T{1, -1};
}

template <class T, bool symmetric>
inline Link<T> make_link(const SerialSolver::Problem& p, Eigen::Index tip, Eigen::Index base) {
  Link<T> link;
  link.e = pick<T>(p.right, tip, base);
  link.c = symmetric ? link.e : pick<T>(p.left, tip, base);
  link.theta = link.e.dot(link.c);
  const T l = pick<T>(p.length.data(), tip, base), inverse = 1 / l;
  const T none = l - l;
  const T own = p.own ? pick<T>(p.own->data(), tip, base) : none;
  const T extra = p.extra ? pick<T>(p.extra->data(), tip, base) : none;
  const T normal = p.normal ? direction<T>() * pick<T>(p.normal->data(), tip, base) : none;
  link.own = (own + extra) * (inverse * inverse);
  link.known = (l * normal) * link.e;
  link.rest =
      (inverse * direction<T>()) * pick<T>(p.rest, tip, base) + (inverse * own * normal) * link.e;
  return link;
}

template <class T>
Eigen::Vector3d lane(const Vector<T>& v, int k) {
  return {v[0][k], v[1][k], v[2][k]};
}
inline Eigen::Vector3d lane(const Vector<double>& v, int) { return {v[0], v[1], v[2]}; }
template <bool symmetric, class T>
Eigen::Matrix3d lane(const Matrix<T, symmetric>& m, int k) {
  Eigen::Matrix3d out;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      if constexpr (std::is_same_v<T, double>)
        out(r, c) = m(r, c);
      else
        out(r, c) = m(r, c)[k];
    }
  return out;
}

/// Writes a = s/l for the links that `moved` spans, with the rounding along e taken away.
template <class T>
inline void write(const SerialSolver::Problem& p, Eigen::Index tip, Eigen::Index base,
                  const Vector<T>& moved, Columns& a) {
  const Vector<T> e = pick<T>(p.right, tip, base);
  const Vector<T> raw = (direction<T>() / pick<T>(p.length.data(), tip, base)) * moved;
  const Vector<T> s = raw - (e.dot(raw) / e.dot(e)) * e;
  double* const out = a.data();
  for (int r = 0; r < 3; ++r) {
    if constexpr (std::is_same_v<T, double>) {
      out[3 * tip + r] = s[r];
    } else {
      out[3 * tip + r] = s[r][0];
      out[3 * base + r] = s[r][1];
    }
  }
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

  // The last mass, and where it has no partner the last link.
  Side<double, symmetric> end{};
  const double inverse = 1 / mass[n - 1];
  for (const int i : {0, 3, 5}) {
    end.w.at[i] = inverse;
    end.adjugate.at[i] = inverse * inverse;
  }
  end.determinant = inverse * inverse * inverse;
  const Link<double> last = make_link<double, symmetric>(p, n - 1, 0);
  end.p = -inverse * last.rest;
  const Side<double, symmetric> outermost = end;
  Vector<double> end_jump{};
  Mat3 rho, w = Mat3::Zero();
  double delta = 0;
  Vec3 x, held = Vec3::Zero(), jump_held = Vec3::Zero();
  if (odd) {
    const Reached<double, symmetric> reached = reach(end, last);
    if (pairs > 0) {
      end_jump = last.rest - make_link<double, symmetric>(p, n - 2, 0).rest;
      end = add_mass(end, last, reached, mass[n - 2], end_jump);
    }
    rho = lane(reached.rho, 0);
    delta = reached.delta;
    x = lane(reached.x, 0);
  }

  // Both sides towards the middle.
  if (pairs > 0) {
    Side<Pair, symmetric> side;
    for (int i = 0; i < Matrix<Pair, symmetric>::size; ++i) {
      side.w.at[i] = Pair{end.w.at[i], 0};
      side.adjugate.at[i] = Pair{end.adjugate.at[i], 0};
    }
    side.determinant = Pair{end.determinant, 0};
    for (int r = 0; r < 3; ++r) side.p.at[r] = Pair{end.p[r], 0};
    Link<Pair> link = make_link<Pair, symmetric>(p, n - 1 - odd, 0);
    Reached<Pair, symmetric> reached;
    Pair added{mass[n - 1 - odd], 0};
    Vector<Pair> jump;
    for (int r = 0; r < 3; ++r) jump.at[r] = Pair{end_jump[r], 0};
    for (Eigen::Index j = 0; j < pairs; ++j) {
      Node& node = nodes_[static_cast<std::size_t>(j)];
      for (int i = 0; i < Matrix<Pair, symmetric>::size; ++i) node.w[i] = side.w.at[i];
      for (int r = 0; r < 3; ++r) {
        node.p[r] = side.p[r];
        node.jump[r] = jump[r];
      }
      node.mass = added;
      reached = reach(side, link);
      const Eigen::Index tip = n - 1 - odd - j;
      const Link<Pair> next = make_link<Pair, symmetric>(p, tip - 1, j + 1);
      added = Pair{mass[tip - 1], mass[j]};
      jump = link.rest - next.rest;
      side = add_mass(side, link, reached, added, jump);
      link = next;
    }
    rho = lane(reached.rho, 0);
    delta = reached.delta[0];
    x = lane(reached.x, 0);
    w = lane(side.w, 1);
    held = lane(side.p, 1);
    jump_held = lane(jump, 1);
  }
  // Where they meet: G = (ρ/δ) (X − x) on the free side, X = p − W G on the base's.
  const Vec3 force = (delta * Mat3::Identity() + rho * w).inverse() * (rho * (held - x));
  const Vec3 middle = held - w * force;

  // And out again.
  Vector<double> g{force[0], force[1], force[2]}, above{middle[0], middle[1], middle[2]};
  if (pairs > 0) {
    const Vec3 back = jump_held - force - mass[pairs - 1] * middle;
    Vector<Pair> gs, before;
    for (int r = 0; r < 3; ++r) {
      gs.at[r] = Pair{force[r], back[r]};
      before.at[r] = Pair{middle[r], middle[r]};
    }
    for (Eigen::Index j = pairs; j-- > 0;) {
      const Node& node = nodes_[static_cast<std::size_t>(j)];
      Matrix<Pair, symmetric> mobility;
      for (int i = 0; i < Matrix<Pair, symmetric>::size; ++i) mobility.at[i] = node.w[i];
      const Vector<Pair> free{node.p[0], node.p[1], node.p[2]},
          jump{node.jump[0], node.jump[1], node.jump[2]};
      const Vector<Pair> now = free + mobility * gs;
      const Eigen::Index tip = n - 1 - odd - j;
      write<Pair>(p, tip, j, now - before, a);
      gs = gs - node.mass * now + jump;
      before = now;
    }
    for (int r = 0; r < 3; ++r) {
      g.at[r] = gs[r][0];
      above.at[r] = before[r][0];
    }
  }
  if (odd) write<double>(p, n - 1, 0, outermost.p + outermost.w * g - above, a);
}

bool SerialSolver::definite(const Eigen::VectorXd& mass, const Eigen::VectorXd& length,
                            const Eigen::VectorXd* own, const Eigen::VectorXd& d,
                            const Columns& q) {
  // Block elimination of the links' velocities from the free end: all pivots must be positive.
  Mat3 a = Mat3::Zero();
  for (Eigen::Index i = q.cols(); i-- > 0;) {
    a.diagonal().array() += mass[i];
    const Eigen::Matrix<double, 3, 2> basis = tangent_basis(q.col(i)), across = a * basis;
    Eigen::Matrix2d pivot = basis.transpose() * across;
    const double sum = own ? (*own)[i] + d[i] : d[i];
    pivot.diagonal().array() += sum / (length[i] * length[i]);
    if (!(pivot(0, 0) > 0 && pivot.determinant() > 0)) return false;
    a -= across * pivot.inverse() * across.transpose();
  }
  return true;
}

}  // namespace twosphere
