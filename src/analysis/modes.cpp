/// Which problem is solved, what its eigenvalues are called, how shapes are scaled. Theory: docs/theory/modes.md.
#include "node_products.hpp"
#include "quadratic_modes.hpp"
#include "symmetric_modes.hpp"
#include "tangent_basis.hpp"

#include <filum/analysis/modes.hpp>
#include <filum/analysis/rigid_motions.hpp>
#include <filum/linalg/dense_decompositions.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace filum::analysis {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;

/// f(i, j) for all blocks on and above the diagonal.
template <class F>
void for_each_pair(const Linearization& lin, F&& f) {
  const auto& p = lin.system->pattern();
  for (int i = 0; i < p.nodes(); ++i) {
    f(i, i);
    for (const int j : p.upper_neighbours(i)) f(i, j);
  }
}

/// (MO.18) No forces of velocity, and a symmetric K up to rounding errors: then all ω² are real.
bool is_symmetric(const Linearization& lin) {
  const double K_size = lin.K.values().lpNorm<Eigen::Infinity>();
  const double D_size = lin.D.values().lpNorm<Eigen::Infinity>(), M_size = lin.M.values().lpNorm<Eigen::Infinity>();
  if (D_size > 1e-14 * (std::sqrt(K_size * M_size) + M_size)) return false;
  double off = 0;
  for_each_pair(lin, [&](int i, int j) {
    off = std::max(off, (lin.K.block(i, j) - lin.K.block(j, i).transpose()).cwiseAbs().maxCoeff());
  });
  // Parts without formulas are differenced with errors near 1e-9.
  return off <= 1e-8 * K_size && lin.R.values().isZero(0);
}

/// (MO.20) |ζ|_M = 1, and the phase with the largest real part; signs such that the largest component is positive.
VectorXcd normalized(const NodeMatrix& M, VectorXcd zeta) {
  VectorXcd M_zeta(zeta.size());
  M_zeta.real() = separable_times(M, zeta.real());
  M_zeta.imag() = separable_times(M, zeta.imag());
  const Complex square = zeta.transpose() * M_zeta;
  const double size = std::sqrt(zeta.dot(M_zeta).real());
  if (std::abs(square) > 0) zeta *= std::polar(1.0, -0.5 * std::arg(square));
  Index at = 0;
  zeta.real().cwiseAbs().maxCoeff(&at);
  return zeta * ((zeta[at].real() < 0 ? -1 : 1) / (size > 0 ? size : 1));
}

class ModeSearch {
 public:
  ModeSearch(const Linearization& lin, const ModesOptions& o) : lin_(lin), o_(o), factor_(lin), free_(lin.size(), 0) {
    if (freedom(lin) <= 0) throw NoModes("the constraints leave no degree of freedom");
    for (FreeMotion& f : free_rigid_motions(lin)) {
      free_.conservativeResize(lin.size(), free_.cols() + 1);
      free_.rightCols<1>() = f.direction;
      add_rigid(f.direction, std::move(f.name));
    }
  }

  Modes run(bool symmetric) {
    out_.is_undamped = symmetric;
    symmetric ? solve_symmetric() : solve_quadratic();
    out_.rigid = static_cast<int>(
        std::count_if(out_.modes.begin(), out_.modes.end(), [](const Mode& m) { return m.kind == ModeKind::rigid; }));
    const auto wanted = static_cast<std::size_t>(o_.count);
    if (out_.modes.size() > wanted) out_.modes.resize(wanted);
    out_.remark = lin_.remark();
    out_.factorizations = factor_.factorizations();
    out_.solves = factor_.solves();
    return std::move(out_);
  }

 private:
  /// Iterations need room: many more directions than modes.
  bool is_dense() const { return lin_.size() <= o_.dense_limit || freedom(lin_) <= 2 * o_.count + 40; }

  void add(Complex s, ModeKind kind, const VectorXcd& zeta, std::string name = {}) {
    out_.modes.push_back({s, kind, std::move(name), lin_.Y * normalized(lin_.M, zeta)});
  }
  /// Of a real shape with ζᵀMζ = 1.
  void add_real(Complex s, ModeKind kind, const Eigen::Ref<const VectorXd>& zeta, std::string name = {}) {
    Index at = 0;
    zeta.cwiseAbs().maxCoeff(&at);
    const VectorXd shape = lin_.Y * ((zeta[at] < 0 ? -1 : 1) * zeta);
    out_.modes.push_back({s, kind, std::move(name), shape.cast<Complex>()});
  }
  void add_rigid(const VectorXd& zeta, std::string name) { add_real(0, ModeKind::rigid, zeta, std::move(name)); }
  void add_free(const VectorXd& zeta) { add_rigid(zeta, "free motion " + std::to_string(++internal_)); }

  void solve_symmetric() {
    const SymmetricModes found = is_dense() ? dense_symmetric_modes(lin_, free_, o_.count)
                                            : sparse_symmetric_modes(lin_, free_, o_.count, factor_);
    const SquareNoise noise(lin_.K);
    for (Index k = 0; k < found.lambda.size(); ++k) {
      const auto zeta = found.zeta.col(k);
      const double square = found.lambda[k], root = std::sqrt(std::abs(square));
      if (std::abs(square) <= found.noise + noise.of(zeta))
        add_free(zeta);
      else if (square < 0)
        add_real(root, ModeKind::unstable, zeta);
      else
        add_real(Complex(0, root), ModeKind::vibration, zeta);
    }
  }

  void solve_quadratic() {
    const QuadraticModes found =
        is_dense() ? dense_quadratic_modes(lin_, free_) : sparse_quadratic_modes(lin_, free_, o_.count, factor_);
    // Free motions beyond those of the whole system.
    const Index more = found.free.cols() - free_.cols();
    if (more > 0) {
      MatrixXd rest = found.free;
      if (free_.cols() > 0) rest -= free_ * (free_.transpose() * separable_times(lin_.M, rest));
      const MatrixXd basis = independent(rest, more);
      for (Index k = 0; k < basis.cols(); ++k) add_free(basis.col(k));
    }
    for (std::size_t k = 0; k < found.s.size(); ++k) {
      const Complex s = found.s[k];
      const bool grows = s.real() > std::max(1e-9 * std::abs(s), found.noise);
      add(s, grows ? ModeKind::unstable : ModeKind::vibration, found.zeta.col(static_cast<Index>(k)));
    }
  }

  /// `count` M-orthonormal vectors of the span.
  MatrixXd independent(const MatrixXd& vectors, Index count) const {
    const linalg::SymmetricEigen eigen =
        linalg::symmetric_eigen(vectors.transpose() * separable_times(lin_.M, vectors));
    MatrixXd out(vectors.rows(), count);
    for (Index k = 0; k < count; ++k) {
      const Index at = vectors.cols() - 1 - k;
      out.col(k) = vectors * eigen.vectors.col(at) / std::sqrt(eigen.values[at]);
    }
    return out;
  }

  const Linearization& lin_;
  const ModesOptions& o_;
  ShiftedFactor factor_;
  MatrixXd free_;
  Modes out_;
  int internal_ = 0;
};

}  // namespace

std::string_view name(ModeKind kind) {
  switch (kind) {
    case ModeKind::rigid: return "rigid";
    case ModeKind::unstable: return "unstable";
    default: return "vibration";
  }
}

double Mode::frequency() const { return std::abs(s.imag()) / (2 * std::numbers::pi); }
double Mode::damping() const { return s.real() == 0 ? 0 : -s.real() / omega(); }

Modes find_modes(const Linearization& lin, const ModesOptions& options) {
  if (options.count < 1) throw std::invalid_argument("ask for at least one mode");
  if (!options.undamped) return ModeSearch(lin, options).run(is_symmetric(lin));
  Linearization undamped = lin;
  undamped.D.set_zero();
  make_symmetric(undamped.K);
  return ModeSearch(undamped, options).run(true);
}

}  // namespace filum::analysis
