/// Numbers, formulas and callables as functions. User document: docs/guide/cpp.md, "Values".
#include <filum/config/differentiate.hpp>
#include <filum/model/value.hpp>

#include <algorithm>
#include <cmath>

namespace filum::model {
namespace {

double value_at(const Number& n, double x) { return n.value(std::span(&x, 1)); }

}  // namespace

OfTime::OfTime(Number number)
    : number_(number), value_([number](double t) {
        const config::Jet jet = number.jet(std::span(&t, 1));
        return parts::DriveValue{jet.value, jet.first, jet.second};
      }) {}

void add_switches(const Number& number, std::span<const double> values, mechanics::SwitchList& out) {
  out.begin_law();
  if (!number.has_switches()) return;
  thread_local std::vector<config::Switch> found;  // keeps its memory
  found.clear();
  number.formula()->switches(values, found);
  for (const config::Switch& s : found) out.add({.value = s.value, .low = s.low, .high = s.high, .jumps = s.jumps});
}

parts::TimeSwitches OfTime::switches() const {
  if (!number_ || !number_->has_switches()) return {};
  return [number = *number_](double t, mechanics::SwitchList& out) {
    thread_local mechanics::SwitchList list;
    list.clear();
    add_switches(number, std::span(&t, 1), list);
    for (mechanics::Switch s : list.entries()) s.jumps = true, out.add(s);
  };
}

std::function<parts::DriveValue(double)> OfTime::differenced(std::function<double(double)> f) {
  return [f](double t) {
    const config::Jet jet = config::differentiate(f, t, 1e-3 * std::max(1.0, std::abs(t)));
    return parts::DriveValue{jet.value, jet.first, jet.second};
  };
}

Along<double> along(const Number& n) {
  if (n.is_constant()) return n();
  return {[n](double s) { return value_at(n, s); }, std::vector<Number>{n}};
}

namespace {

/// Entries n of a matrix, or of its diagonal when there are as many as rows.
template <class Matrix>
Along<Matrix> along_matrix(const std::vector<Number>& n) {
  const auto rows = static_cast<std::size_t>(Matrix::RowsAtCompileTime),
             cols = static_cast<std::size_t>(Matrix::ColsAtCompileTime);
  const bool is_diagonal = n.size() == rows && cols > 1;
  using RowMajor = Eigen::Matrix<double, Matrix::RowsAtCompileTime, Matrix::ColsAtCompileTime,
                                 Matrix::ColsAtCompileTime == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
  if (const config::BoundCallable* f = config::whole_callable(n); f && !is_diagonal)
    return {[f = *f](double s) {
              RowMajor m;
              f(std::span(&s, 1), std::span<double>(m.data(), static_cast<std::size_t>(m.size())));
              return Matrix(m);
            },
            n};
  const auto value = [=](double s) {
    Matrix m = Matrix::Zero();
    for (std::size_t k = 0; k < n.size(); ++k) {
      const auto i = static_cast<Eigen::Index>(is_diagonal ? k : k / cols),
                 j = static_cast<Eigen::Index>(is_diagonal ? k : k % cols);
      m(i, j) = value_at(n[k], s);
    }
    return m;
  };
  if (std::all_of(n.begin(), n.end(), [](const Number& x) { return x.is_constant(); })) return value(0);
  return {value, n};
}

}  // namespace

Along<Vector3d> along(const std::array<Number, 3>& n) { return along_matrix<Vector3d>({n.begin(), n.end()}); }
Along<Matrix3d> along_matrix3(const std::vector<Number>& n) { return along_matrix<Matrix3d>(n); }
Along<Matrix6d> along_matrix6(const std::vector<Number>& n) { return along_matrix<Matrix6d>(n); }

}  // namespace filum::model
