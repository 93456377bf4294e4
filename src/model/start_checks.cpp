/// Whether a run can start from the initial state. User document: docs/guide/error-messages.md.
#include "start_checks.hpp"

#include <cmath>
#include <sstream>

namespace filum::model {
namespace {

/// To ask for names; the data stays with the caller.
BuiltModel view(const BuiltModel::Data& built) {
  return BuiltModel(std::shared_ptr<const BuiltModel::Data>(std::shared_ptr<void>(), &built));
}

/// Why the first number that is not finite is not: the object it belongs to, and its formula if that is to blame.
std::string blame(const BuiltModel::Data& built, const VectorXd& values) {
  for (const auto& object : *built.objects)
    if (const std::string broken = object->broken_formula(built.start.t, built.start.t); !broken.empty())
      return ": " + std::string(object->kind()) + " " + object->name() + ": " + broken;
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) return ", first at " + view(built).velocity_name(static_cast<int>(i));
  return {};
}

}  // namespace

// All constraints of a node are coupled: a dense matrix. 1000 rows take half a second per factorisation.
void refuse_crowded_nodes(const BuiltModel::Data& built) {
  constexpr int most = 1000;
  const auto& pattern = built.system->pattern();
  for (int i = 0; i < pattern.nodes(); ++i) {
    int rows = 0;
    for (const linalg::Incidence& e : pattern.incidence(i)) rows += pattern.row_block(e.block).rows;
    if (rows <= most) continue;
    const std::string where = view(built).velocity_name(pattern.offset(i));
    throw ModelError(where.substr(0, where.rfind(": ")) + " has " + std::to_string(rows) +
                     " equations of joints; at most 1000 are possible");
  }
}

void refuse_infinite_start(const BuiltModel::Data& built) {
  const System& system = *built.system;
  const State& x = built.start;
  VectorXd forces(system.size_v());
  system.forces(x.t, x.q, x.v, forces);
  if (!forces.allFinite()) throw ModelError("a force at the start is not finite" + blame(built, forces));
  if (!x.a.allFinite()) throw ModelError("accelerations at the start are not finite" + blame(built, x.a));
  if (std::isfinite(system.kinetic_energy(x.q, x.v)) && std::isfinite(system.potential_energy(x.t, x.q))) return;
  Eigen::Index fastest = 0;
  const double speed = x.v.cwiseAbs().maxCoeff(&fastest);
  std::ostringstream text;
  text << "the energy at the start is not a finite number: kinetic " << system.kinetic_energy(x.q, x.v)
       << ", potential " << system.potential_energy(x.t, x.q) << "; the largest velocity is " << speed << ", "
       << view(built).velocity_name(static_cast<int>(fastest));
  throw ModelError(text.str());
}

}  // namespace filum::model
