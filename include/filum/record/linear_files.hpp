/// The linearised system for other programs: HDF5, NumPy and MatrixMarket. User document: docs/guide/modes.md.
#pragma once

#include <filum/analysis/state_space.hpp>

#include <filesystem>

namespace filum::record {

/// Largest number of velocities for which dense files are written: NumPy arrays, and the state space in all formats.
inline constexpr int most_dense_velocities = 1500;

/// linear.h5, and the folder `linear` with a .npy and an .mtx file per matrix. Throws FileTrouble.
void write_linear_model(const std::filesystem::path& folder, const analysis::LinearModel& model);

/// One matrix in a file. NumPy format 1.0; MatrixMarket "coordinate" of a sparse, "array" of a dense one.
void write_npy(const std::filesystem::path& file, const Eigen::MatrixXd& matrix);
void write_matrix_market(const std::filesystem::path& file, const linalg::SparseMatrix& matrix);
void write_matrix_market(const std::filesystem::path& file, const Eigen::MatrixXd& matrix);

}  // namespace filum::record
