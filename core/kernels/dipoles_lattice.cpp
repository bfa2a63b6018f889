// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/fftw_plan.h"
#include "core/base/workspace_pool.h"
#include "core/kernels/aligned.h"
#include "core/kernels/dipoles.h"

namespace twosphere::dipole_kernel {

namespace {

using Length = std::ptrdiff_t;

/// The smallest multiple of 4, at least `least`, without prime factors other than 2, 3, 5 and 7.
Length smooth(Length least) {
  Length length = (least + 3) / 4 * 4;
  while (!is_product_of({2, 3, 5, 7}, length)) length += 4;
  return length;
}

/// Length of a real transform in which `count` points do not interact with their periodic images.
Length real_length(Length count) { return count == 1 ? 1 : smooth(2 * count - 1); }

/// The same for complex transforms side by side, for which FFTW has vector code at some lengths.
Length complex_length(Length count) {
  for (const Length length : {1, 4, 8, 12, 16, 20, 32, 64, 128})
    if (length >= 2 * count - 1) return length;
  return smooth(2 * count - 1);
}

/// A lattice padded with zeros to a torus of twice its size. Its longer side, along which the real
/// transforms run, has `points` points, the other has `lines` lines.
struct Torus {
  Length lines, points;
  Length all_lines = complex_length(lines), all_points = real_length(points);
  Length frequencies = all_points / 2 + 1;
};

/// Three planes of data and their transforms.
struct Planes {
  explicit Planes(const Torus& torus)
      : real(static_cast<std::size_t>(3 * torus.lines * torus.all_points)),
        transform(static_cast<std::size_t>(6 * torus.all_lines * torus.frequencies)) {}
  fftw_complex* spectrum() { return reinterpret_cast<fftw_complex*>(transform.data()); }

  Aligned<double> real;       // [plane][line][point], without the lines of zeros
  Aligned<double> transform;  // [plane][line][frequency], complex
};

/// Transforms of three planes at a time, not normalised. Lines of zeros and lines whose result is
/// not used are skipped.
class Transforms {
 public:
  explicit Transforms(const Torus& torus, Planes planes)
      : torus_(torus),
        along_([&](unsigned flags) {
          const fftw_iodim64 batch[]{{3, real_plane(), plane()},
                                     {torus.lines, torus.all_points, torus.frequencies}};
          return fftw_plan_guru64_dft_r2c(1, &line_, 2, batch, planes.real.data(),
                                          planes.spectrum(), flags);
        }),
        across_([&](unsigned flags) { return across(FFTW_FORWARD, planes, flags); }),
        back_across_([&](unsigned flags) { return across(FFTW_BACKWARD, planes, flags); }),
        back_along_([&](unsigned flags) {
          const fftw_iodim64 batch[]{{3, plane(), real_plane()},
                                     {torus.lines, torus.frequencies, torus.all_points}};
          return fftw_plan_guru64_dft_c2r(1, &line_, 2, batch, planes.spectrum(),
                                          planes.real.data(), flags);
        }) {}

  void forward_along(Planes& planes) const {
    fftw_execute_dft_r2c(along_.get(), planes.real.data(), planes.spectrum());
  }
  void forward_across(Planes& planes) const {
    fftw_execute_dft(across_.get(), planes.spectrum(), planes.spectrum());
  }
  void backward(Planes& planes) const {
    fftw_execute_dft(back_across_.get(), planes.spectrum(), planes.spectrum());
    fftw_execute_dft_c2r(back_along_.get(), planes.spectrum(), planes.real.data());
  }

 private:
  Length real_plane() const { return torus_.lines * torus_.all_points; }
  Length plane() const { return torus_.all_lines * torus_.frequencies; }
  fftw_plan across(int sign, Planes& planes, unsigned flags) const {
    const fftw_iodim64 length{torus_.all_lines, torus_.frequencies, torus_.frequencies};
    const fftw_iodim64 batch[]{{3, plane(), plane()}, {torus_.frequencies, 1, 1}};
    return fftw_plan_guru64_dft(1, &length, 2, batch, planes.spectrum(), planes.spectrum(), sign,
                                flags);
  }

  Torus torus_;
  fftw_iodim64 line_{torus_.all_points, 1, 1};
  FftwPlan along_, across_, back_across_, back_along_;
};

/// The convolution of ν_j q_j with K(r) = 10⁻⁷ (I − 3 r̂r̂ᵀ)/|r|³, where all r lie in the plane of
/// e1 and e2. The planes are the components along the longer side, across it, and along e3. In
/// these axes only the entries k₀₀, k₀₁, k₁₁ and k₂₂ = −k₀₀ − k₁₁ of K are nonzero, and their
/// transforms are real because K(−r) = K(r).
class Lattice final : public Coupling {
 public:
  Lattice(Length rows, Length columns, double spacing, const Eigen::VectorXd& moments)
      : moments_(moments),
        torus_{std::min(rows, columns), std::max(rows, columns)},
        plane_(torus_.all_lines * torus_.frequencies),
        real_plane_(torus_.lines * torus_.all_points),
        next_line_(rows > columns ? 1 : columns),
        next_point_(rows > columns ? columns : 1),
        transforms_(torus_, Planes(torus_)),
        entries_(static_cast<std::size_t>(3 * plane_)) {
    if (rows > columns) std::swap(component_[0], component_[1]);
    Planes planes(torus_);
    const auto size = static_cast<double>(torus_.all_lines * torus_.all_points);
    for (Length line = 0; line < torus_.lines; ++line)
      for (Length point = line == 0 ? 1 : 0; point < torus_.points; ++point) {
        // K(r) at one point and its mirror image; k₀₁ is odd along the line.
        const Vec3 r(static_cast<double>(point), static_cast<double>(line), 0);
        const Mat3 k = pair(spacing * r, 1, 1) / size;
        double* here = planes.real.data() + line * torus_.all_points + point;
        double* mirrored = here + (point > 0 ? torus_.all_points - 2 * point : 0);
        *mirrored = *here = k(0, 0);
        mirrored[real_plane_] = -(here[real_plane_] = k(0, 1));
        mirrored[2 * real_plane_] = here[2 * real_plane_] = k(1, 1);
      }
    transforms_.forward_along(planes);
    // The lines on the other side: k₀₁ is odd across, the others even.
    for (int k = 0; k < 3; ++k)
      for (Length line = 1; line < torus_.lines; ++line) {
        const double* from = planes.transform.data() + 2 * (k * plane_ + line * torus_.frequencies);
        double* to = planes.transform.data() +
                     2 * (k * plane_ + (torus_.all_lines - line) * torus_.frequencies);
        for (Length f = 0; f < 2 * torus_.frequencies; ++f) to[f] = k == 1 ? -from[f] : from[f];
      }
    transforms_.forward_across(planes);
    // Transforms of even functions are real.
    for (Length m = 0; m < 3 * plane_; ++m) entries_.data()[m] = planes.spectrum()[m][0];
  }

  void multiply(const Columns& q, Columns& g) const override {
    // Sources ν_j q_j by component, padded with zeros.
    const auto planes = pool_.take([&] { return Planes(torus_); });
    for (int k = 0; k < 3; ++k)
      for (Length line = 0; line < torus_.lines; ++line) {
        double* real = planes->real.data() + k * real_plane_ + line * torus_.all_points;
        for (Length point = 0; point < torus_.points; ++point) {
          const Length body = line * next_line_ + point * next_point_;
          real[point] = moments_[body] * q(component_[k], body);
        }
        // Zero padding along the line.
        std::fill(real + torus_.points, real + torus_.all_points, 0.0);
      }
    transforms_.forward_along(*planes);
    for (int k = 0; k < 3; ++k)
      std::fill(planes->transform.data() + 2 * (k * plane_ + torus_.lines * torus_.frequencies),
                planes->transform.data() + 2 * (k + 1) * plane_, 0.0);
    transforms_.forward_across(*planes);
    // Multiply by K in Fourier space.
    convolve(planes->spectrum());
    // Back to the lattice: g_i = ν_i Σ_j K ν_j q_j.
    transforms_.backward(*planes);
    for (int k = 0; k < 3; ++k)
      for (Length line = 0; line < torus_.lines; ++line) {
        const double* real = planes->real.data() + k * real_plane_ + line * torus_.all_points;
        for (Length point = 0; point < torus_.points; ++point) {
          const Length body = line * next_line_ + point * next_point_;
          g(component_[k], body) = moments_[body] * real[point];
        }
      }
  }

 private:
  void convolve(fftw_complex* s) const {
    const double *k00 = entries_.data(), *k01 = k00 + plane_, *k11 = k01 + plane_;
    fftw_complex *s0 = s, *s1 = s0 + plane_, *s2 = s1 + plane_;
    for (Length m = 0; m < plane_; ++m)
      for (int part = 0; part < 2; ++part) {
        // K is symmetric with k₂₂ = −k₀₀ − k₁₁.
        const double v0 = s0[m][part], v1 = s1[m][part];
        s0[m][part] = k00[m] * v0 + k01[m] * v1;
        s1[m][part] = k01[m] * v0 + k11[m] * v1;
        s2[m][part] *= -(k00[m] + k11[m]);
      }
  }

  Eigen::VectorXd moments_;
  Torus torus_;
  Length plane_, real_plane_;      // numbers in a plane of Planes, complex and real
  Length next_line_, next_point_;  // distance between neighbouring bodies
  int component_[3] = {0, 1, 2};   // the component of q in each plane
  Transforms transforms_;
  Aligned<double> entries_;  // of the transform of K, divided by the size of the torus
  mutable Pool<Planes> pool_;
};

}  // namespace

std::unique_ptr<const Coupling> lattice(Eigen::Index rows, Eigen::Index columns, double spacing,
                                        const Eigen::VectorXd& moments) {
  return std::make_unique<Lattice>(rows, columns, spacing, moments);
}

}  // namespace twosphere::dipole_kernel
