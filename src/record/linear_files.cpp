/// Matrices in files of other programs. User document: docs/guide/modes.md.
#include "hdf5_replace.hpp"

#include <filum/analysis/modes.hpp>
#include <filum/record/hdf5_file.hpp>
#include <filum/record/linear_files.hpp>
#include <filum/record/marks.hpp>
#include <filum/record/replace_file.hpp>
#include <filum/record/simulate.hpp>

#include <bit>
#include <cstdint>
#include <cstdio>

namespace filum::record {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using linalg::SparseMatrix;
using std::filesystem::path;

void write_file(const path& file, const std::string& content) {
  replace_file(file, content, "the matrix", Durability::quick);
}

/// The beginning of a MatrixMarket file of this form, with our mark.
std::string head_of(const char* form) {
  return std::string("%%MatrixMarket matrix ") + form + " real general\n" + std::string(matrix_mark) + "\n";
}

void append(std::string& text, double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g\n", value);
  text += buffer;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Row, column (from 0) and value of every entry that is not zero.
void write_hdf5(Hdf5File& file, const std::string& name, const SparseMatrix& matrix) {
  std::vector<double> row, column, value;
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(matrix, j); it; ++it) {
      row.push_back(static_cast<double>(it.row())), column.push_back(j), value.push_back(it.value());
    }
  file.make_group(name);
  file.set_attribute(name, "rows", static_cast<double>(matrix.rows()));
  file.set_attribute(name, "columns", static_cast<double>(matrix.cols()));
  file.write(name + "/row", row);
  file.write(name + "/column", column);
  file.write(name + "/value", value);
}

void write_hdf5(Hdf5File& file, const std::string& name, const MatrixXd& matrix) {
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> by_rows = matrix;
  file.write(name, std::span(by_rows.data(), static_cast<std::size_t>(by_rows.size())),
             {static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols())});
}

/// Without the zeros that a pattern keeps.
SparseMatrix pruned(SparseMatrix matrix) {
  matrix.prune(0.0, 0.0);
  matrix.makeCompressed();
  return matrix;
}

/// Active rows alone.
SparseMatrix active(const analysis::Linearization& lin, const linalg::RowMatrix& rows) {
  const SparseMatrix all = pruned(linalg::to_sparse(rows, lin.rows));
  std::vector<int> place(static_cast<std::size_t>(all.rows()), -1);
  int count = 0;
  for (int r = 0; r < all.rows(); ++r)
    if (lin.rows.is_active(r)) place[static_cast<std::size_t>(r)] = count++;
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < all.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(all, j); it; ++it)
      entries.emplace_back(place[static_cast<std::size_t>(it.row())], j, it.value());
  SparseMatrix out(count, all.cols());
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

}  // namespace

void write_npy(const path& file, const MatrixXd& matrix) {
  static_assert(std::endian::native == std::endian::little);
  std::string header = "{'descr': '<f8', 'fortran_order': True, 'shape': (" + std::to_string(matrix.rows()) + ", " +
                       std::to_string(matrix.cols()) + "), }";
  constexpr std::size_t before = 10, alignment = 64;
  header.append(alignment - (before + header.size() + 1) % alignment, ' ');
  header += '\n';
  std::string text = "\x93NUMPY";
  text += '\x01';
  text += '\0';
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  text += header;
  text.append(reinterpret_cast<const char*>(matrix.data()), sizeof(double) * static_cast<std::size_t>(matrix.size()));
  write_file(file, text);
}

void write_matrix_market(const path& file, const SparseMatrix& matrix) {
  std::string text = head_of("coordinate") + std::to_string(matrix.rows()) + " " + std::to_string(matrix.cols()) + " " +
                     std::to_string(matrix.nonZeros()) + "\n";
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(matrix, j); it; ++it) {
      text += std::to_string(it.row() + 1) + " " + std::to_string(j + 1) + " ";
      append(text, it.value());
    }
  write_file(file, text);
}

void write_matrix_market(const path& file, const MatrixXd& matrix) {
  std::string text = head_of("array") + std::to_string(matrix.rows()) + " " + std::to_string(matrix.cols()) + "\n";
  for (Index j = 0; j < matrix.cols(); ++j)
    for (Index i = 0; i < matrix.rows(); ++i) append(text, matrix(i, j));
  write_file(file, text);
}

void write_linear_model(const path& folder, const analysis::LinearModel& model) {
  const analysis::Linearization& lin = model.lin;
  const bool dense = lin.size() <= most_dense_velocities;
  std::filesystem::create_directories(folder / "linear");
  make_file(folder / "linear.h5", [&](Hdf5File& file) {
    file.set_attribute("/", "filum", version());
    file.set_attribute("/", "inputs", joined(model.input_names));
    file.set_attribute("/", "outputs", joined(model.output_names));
    const auto write = [&](const std::string& name, const auto& matrix) {
      write_hdf5(file, name, matrix);
      write_matrix_market(folder / "linear" / (name + ".mtx"), matrix);
      if (dense) write_npy(folder / "linear" / (name + ".npy"), MatrixXd(matrix));
    };
    write("M", pruned(linalg::to_sparse(lin.M, linalg::Structure::separable)));
    write("D", pruned(linalg::to_sparse(lin.D)));
    write("K", pruned(linalg::to_sparse(lin.K)));
    write("C", active(lin, lin.C));
    write("forces", MatrixXd(lin.Y.transpose() * model.forces));
    write("outputs_by_q", model.outputs.by_q);
    write("outputs_by_v", model.outputs.by_v);
    write("outputs_by_a", model.outputs.by_a);
    write("outputs_by_lambda", model.outputs.by_lambda);
    if (!dense) return;
    const analysis::StateSpace s = analysis::state_space(model);
    write("state_A", s.A);
    write("state_B", s.B);
    write("state_C", s.C);
    write("state_D", s.D);
  });
}

}  // namespace filum::record
