/// A pressure on one side of a shell that follows its surface. Theory: docs/theory/shell.md, sec. 4.
#pragma once

#include <filum/parts/shell.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace filum::parts {

/// Of a cell, at a time.
using CellPressure = std::function<double(double t, int cell)>;

/// Pushes along the normals, the third axes of the nodes, with p per area of the surface as it is, (SH.15).
class ShellPressure final : public mechanics::Part {
 public:
  ShellPressure(std::shared_ptr<const Shell> shell, std::string name, CellPressure pressure);

  std::string name() const override { return "load " + name_; }
  void declare(mechanics::Declaration& declaration) override;
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const override;
  void add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const override;

 private:
  std::shared_ptr<const Shell> shell_;
  std::string name_;
  CellPressure pressure_;
  std::vector<NodeFrame> frames_;                 ///< of the nodes of the shell
  std::vector<mechanics::Force<4>> forces_ = {};  ///< by cell
};

/// Throws std::invalid_argument without a function.
void add_shell_pressure(SystemBuilder& builder, std::shared_ptr<const Shell> shell, const std::string& name,
                        CellPressure pressure);

}  // namespace filum::parts
