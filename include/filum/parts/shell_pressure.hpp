/// A pressure on one side of a shell that follows its surface. Theory: docs/theory/shell.md, sec. 4.
#pragma once

#include <filum/parts/load_law.hpp>
#include <filum/parts/shell.hpp>

#include <memory>
#include <string>
#include <vector>

namespace filum::parts {

/// Pushes along the normals, the third axes of the nodes, with p per area of the surface as it is, (SH.15). The law
/// says p as the third component of a force; it may see position and velocity of the centre of a cell.
class ShellPressure final : public mechanics::Part, public mechanics::SwitchingPart {
 public:
  /// `centers` are the coordinates s1 and s2 of the cells.
  ShellPressure(std::shared_ptr<const Shell> shell, std::string name, LoadLaw pressure,
                std::vector<Eigen::Vector2d> centers);

  std::string name() const override { return "load " + name_; }
  void declare(mechanics::Declaration& declaration) override;
  void add_forces(double t, const VectorXd& q, const VectorXd& v, VectorRef f) const override;
  void add_force_derivatives(double t, const VectorXd& q, const VectorXd& v, double scale_q, double scale_v,
                             NodeMatrix& H) const override;
  mechanics::Switching switching() const override { return pressure_.switching(); }
  void add_switches(double t, const VectorXd& q, const VectorXd& v, mechanics::SwitchList& out) const override;

 private:
  struct AtCell;
  AtCell at(int cell, double t, const VectorXd& q, const VectorXd& v) const;

  std::shared_ptr<const Shell> shell_;
  std::string name_;
  LoadLaw pressure_;
  std::vector<Eigen::Vector2d> centers_;
  std::vector<NodeFrame> frames_;                 ///< of the nodes of the shell
  std::vector<mechanics::Force<4>> forces_ = {};  ///< by cell
};

/// Throws std::invalid_argument without a law, for one that sees rotations, and without a centre for every cell.
void add_shell_pressure(SystemBuilder& builder, std::shared_ptr<const Shell> shell, const std::string& name,
                        LoadLaw pressure, std::vector<Eigen::Vector2d> centers);

}  // namespace filum::parts
