// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/frequencies.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>

#include "core/base/decompositions.h"
#include "core/base/fftw_plan.h"
#include "core/base/root.h"

namespace twosphere {

namespace {

using Complex = std::complex<double>;
constexpr double two_pi = 2 * std::numbers::pi;
constexpr double mirror_rounding = 1e-10;  // relative, of |φ|²

/// χ_p(s_j)
std::vector<double> hann(std::size_t n, int power) {
  double scale = 1;
  for (int k = 1; k <= power; ++k) scale *= 2.0 * k / (power + k);  // 2^p (p!)²/(2p)!
  std::vector<double> window(n);
  for (std::size_t j = 0; j < n; ++j) {
    const double s =
        (2 * static_cast<double>(j) + 1 - static_cast<double>(n)) / static_cast<double>(n);
    window[j] = scale * std::pow(1 + std::cos(std::numbers::pi * s), power);
  }
  return window;
}

/// Calls use(j, e^(2πi x (j − c))) for all j; c = (n − 1)/2, x cycles per sample.
template <class Use>
void rotate(double x, std::size_t n, const Use& use) {
  constexpr std::size_t renewed = 16;
  const double centre = (static_cast<double>(n) - 1) / 2;
  const Complex turn = std::polar(1.0, two_pi * x);
  Complex e;
  for (std::size_t j = 0; j < n; ++j) {
    e = j % renewed == 0 ? std::polar(1.0, two_pi * x * (static_cast<double>(j) - centre))
                         : e * turn;
    use(j, e);
  }
}

/// The rest of a signal, times χ_p; frequencies are in cycles per sample, times from the
/// middle.
class Analysis {
 public:
  Analysis(std::span<const Complex> signal, int power)
      : n_(signal.size()),
        window_(hann(n_, power)),
        weighted_(n_),
        transform_(fftw_alloc_complex(n_), fftw_free),
        plan_([this](unsigned flags) {
          return fftw_plan_dft_1d(static_cast<int>(n_), transform_.get(), transform_.get(),
                                  FFTW_FORWARD, flags);
        }) {
    for (std::size_t j = 0; j < n_; ++j) weighted_[j] = window_[j] * signal[j];
  }

  /// |φ|² and ½ d|φ|²/dx at x.
  std::pair<double, double> power(double x) const {
    Complex sum = 0, slope = 0;
    const double centre = (static_cast<double>(n_) - 1) / 2;
    rotate(x, n_, [&](std::size_t j, Complex e) {
      const Complex part = weighted_[j] * std::conj(e);
      sum += part;
      slope += (static_cast<double>(j) - centre) * part;
    });
    const double scale = 1 / static_cast<double>(n_);
    sum *= scale;
    slope *= Complex(0, -two_pi * scale);
    return {std::norm(sum), (std::conj(sum) * slope).real()};
  }

  Complex phi(double x) const {
    Complex sum = 0;
    rotate(x, n_, [&](std::size_t j, Complex e) { sum += weighted_[j] * std::conj(e); });
    return sum / static_cast<double>(n_);
  }

  /// ⟨e_x, e_y⟩
  double overlap(double x, double y) const {
    double sum = 0;
    rotate(x - y, n_, [&](std::size_t j, Complex e) { sum += window_[j] * e.real(); });
    return sum / static_cast<double>(n_);
  }

  void subtract(double x, Complex amplitude) {
    rotate(x, n_, [&](std::size_t j, Complex e) { weighted_[j] -= amplitude * window_[j] * e; });
  }

  /// The frequency at which |φ| is largest.
  double largest() {
    for (std::size_t j = 0; j < n_; ++j) {
      transform_.get()[j][0] = weighted_[j].real();
      transform_.get()[j][1] = weighted_[j].imag();
    }
    fftw_execute(plan_.get());
    std::size_t peak = 0;
    double highest = -1;
    for (std::size_t k = 0; k < n_; ++k) {
      const double size = std::norm(Complex(transform_.get()[k][0], transform_.get()[k][1]));
      // Mirrors are equal but for rounding: the first, of positive frequency.
      if (size > highest * (1 + mirror_rounding)) highest = size, peak = k;
    }
    const double bin = 1 / static_cast<double>(n_);
    const double near = static_cast<double>(peak) * bin - (2 * peak > n_ ? 1 : 0);
    // The highest of points a quarter of a bin apart, and the zero of the slope beside it.
    constexpr int points = 4;
    double best = near, height = -1, slope = 0;
    for (int k = -points; k <= points; ++k) {
      const double x = near + k * bin / points;
      const auto [size, its_slope] = power(x);
      if (size > height) best = x, height = size, slope = its_slope;
    }
    const double other = best + std::copysign(bin / points, slope), beyond = power(other).second;
    if (slope == 0 || (slope > 0) == (beyond > 0)) return best;
    const auto zero = find_root(
        best, slope, other, beyond, [this](double x) { return std::optional(power(x).second); },
        1e-18);
    return zero.value_or(best);
  }

 private:
  std::size_t n_;
  std::vector<double> window_;
  std::vector<Complex> weighted_;
  std::unique_ptr<fftw_complex, decltype(&fftw_free)> transform_;
  FftwPlan plan_;
};

}  // namespace

Result<std::vector<Line>> find_lines(std::span<const Complex> signal, double interval, int count,
                                     int window) {
  if (signal.size() < min_line_samples)
    return Error{ErrorKind::usage, "",
                 fmt::format("frequencies need {} samples or more, not {}", min_line_samples,
                             signal.size())};
  for (const Complex& z : signal)
    if (!std::isfinite(z.real()) || !std::isfinite(z.imag()))
      return Error{ErrorKind::usage, "", "a sample of the signal is not finite"};
  Analysis left(signal, window);
  const double bin = 1 / static_cast<double>(signal.size());
  std::vector<double> x;
  Eigen::MatrixXd gram;
  Eigen::VectorXcd amplitudes;
  double first = 0;
  while (static_cast<int>(x.size()) < count) {
    const double next = left.largest();
    const Complex size = left.phi(next);
    const bool near =
        std::any_of(x.begin(), x.end(), [&](double other) { return std::abs(next - other) < bin; });
    if (near || !(std::abs(size) > 1e-11 * first)) break;
    if (x.empty()) first = std::abs(size);
    x.push_back(next);
    // The rest is orthogonal to the earlier lines, so that only the new product is not zero.
    const auto m = static_cast<Eigen::Index>(x.size());
    gram.conservativeResize(m, m);
    for (Eigen::Index k = 0; k < m; ++k)
      gram(k, m - 1) = gram(m - 1, k) = left.overlap(x[static_cast<std::size_t>(k)], next);
    Eigen::VectorXcd right = Eigen::VectorXcd::Zero(m);
    right[m - 1] = size;
    Eigen::VectorXcd change(m);
    change.real() = solve_semidefinite(gram, right.real());
    change.imag() = solve_semidefinite(gram, right.imag());
    amplitudes.conservativeResize(m);
    amplitudes[m - 1] = 0;
    amplitudes += change;
    for (Eigen::Index k = 0; k < m; ++k) left.subtract(x[static_cast<std::size_t>(k)], change[k]);
  }
  const double centre = (static_cast<double>(signal.size()) - 1) / 2;
  std::vector<Line> lines;
  for (std::size_t k = 0; k < x.size(); ++k)
    lines.push_back({x[k] / interval, amplitudes[static_cast<Eigen::Index>(k)] *
                                          std::polar(1.0, -two_pi * x[k] * centre)});
  return lines;
}

bool is_mean(const Line& line, std::size_t samples, double interval) {
  return std::abs(line.frequency * interval) * static_cast<double>(samples) < 0.5;
}

Result<std::vector<Line>> find_real_lines(std::span<const Complex> signal, double interval,
                                          int count, int window) {
  auto both = find_lines(signal, interval, 2 * count + 1, window);
  if (!both) return both;
  const double resolved = 1 / (static_cast<double>(signal.size()) * std::abs(interval));
  std::vector<Line> lines;
  for (Line line : *both) {
    const auto mirrors = [&](const Line& other) {
      return std::abs(std::abs(line.frequency) - other.frequency) < resolved / 2;
    };
    if (std::any_of(lines.begin(), lines.end(), mirrors)) continue;
    if (line.frequency < 0) line = {-line.frequency, std::conj(line.amplitude)};
    if (!is_mean(line, signal.size(), interval)) line.amplitude *= 2;
    lines.push_back(line);
    if (static_cast<int>(lines.size()) == count) break;
  }
  return lines;
}

namespace {

/// The frequency of the largest line that is no mean; NaN if there is none.
double leading_frequency(std::span<const Complex> signal, double interval, int window) {
  for (const std::size_t count : {1, 2}) {
    const auto lines = find_lines(signal, interval, static_cast<int>(count), window);
    if (!lines || lines->size() < count) break;
    if (!is_mean(lines->back(), signal.size(), interval)) return lines->back().frequency;
  }
  return std::nan("");
}

}  // namespace

double frequency_diffusion(std::span<const Complex> signal, double interval, int window) {
  const std::size_t half = signal.size() / 2;
  double before = leading_frequency(signal.first(half), interval, window),
         after = leading_frequency(signal.last(half), interval, window);
  if (std::isnan(before) || std::isnan(after)) return std::nan("");
  if (std::all_of(signal.begin(), signal.end(), [](Complex z) { return z.imag() == 0; })) {
    before = std::abs(before);
    after = std::abs(after);
  }
  return std::log10(
      std::max(std::abs(1 - after / before), std::numeric_limits<double>::epsilon() / 2));
}

}  // namespace twosphere
