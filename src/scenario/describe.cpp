/// The model in words, for `filum check`. User document: docs/guide/scenarios.md, "Checking".
#include "frequency.hpp"

#include <filum/mechanics/acceleration_solver.hpp>
#include <filum/scenario/describe.hpp>
#include <filum/scenario/method.hpp>
#include <filum/scenario/words.hpp>

#include <cmath>
#include <numbers>
#include <sstream>

namespace filum::scenario {
namespace {

std::string count(long n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

void objects(std::ostringstream& out, const Scenario& s, const Model& m) {
  for (const parts::RigidBody& b : m.bodies)
    out << "  body " << b.initial.name << ": mass " << b.mass() << ", group " << lie::name(b.group()) << "\n";
  for (std::size_t i = 0; i < m.beams.size(); ++i) {
    const parts::Beam& b = *m.beams[i];
    out << "  beam " << s.beams[i].name << ": " << word_of(s.beams[i].model) << ", " << count(b.segments(), "segment")
        << ", length " << b.arc_length(b.nodes() - 1) << ", group " << word_of(s.beams[i].group) << ", "
        << count(static_cast<long>(m.beam_rows[i].size()), "constraint") << "\n";
  }
  for (const ModelJoint& j : m.joints)
    out << "  joint " << j.name << ": " << word_of(j.type) << ", "
        << count(static_cast<long>(j.rows.size()), "constraint") << "\n";
  for (const Spring& x : s.springs)
    out << "  spring " << x.name << ": stiffness " << x.stiffness << ", damping " << x.damping << "\n";
  for (const Load& x : s.loads) out << "  load " << x.name << ": on " << x.on << "\n";
  for (const Sensor& x : s.sensors)
    out << "  sensor " << x.name << ": " << word_of(x.quantity) << " of " << x.on << "\n";
}

void start(std::ostringstream& out, const Model& m) {
  const auto& c = m.consistency;
  const System& system = *m.system;
  const auto row = [&](int r) { return r >= 0 ? " (" + system.row_name(r) + ")" : std::string(); };
  out << "start\n";
  if (system.size_rows() == 0) {
    out << "  no constraints\n";
  } else {
    if (c.dropped_rows.empty()) out << "  the constraints are independent\n";
    for (const int r : c.dropped_rows) out << "  redundant, left out: " << system.row_name(r) << "\n";
    out << "  positions were off by " << c.position_off << (c.position_off > 0 ? row(c.worst_position_row) : "")
        << ", now " << c.position_left << "\n  velocities were off by " << c.velocity_off
        << (c.velocity_off > 0 ? row(c.worst_velocity_row) : "") << ", now " << c.velocity_left << "\n";
  }
  out << "  energy: kinetic " << system.kinetic_energy(m.start.q, m.start.v) << ", potential "
      << system.potential_energy(m.start.t, m.start.q) << "\n";
}

void method(std::ostringstream& out, const Scenario& s, const Model& m) {
  const Time& t = s.time;
  mechanics::AccelerationSolver solver(*m.system);
  solver.factorize(m.start.t, m.start.q);
  out << "method\n  " << word_of(s.integrator.method) << (s.integrator.adaptive ? ", adaptive, first step " : ", step ")
      << t.step << ", from " << t.start << " to " << t.end << ": "
      << (s.integrator.adaptive ? "as many steps as it needs"
                                : "about " + count(std::lround(std::ceil((t.end - t.start) / t.step)), "step"))
      << "\n  linear solver: " << solver.method() << "\n";
  const FastestRates rates = fastest_rates(*m.system, m.start);
  if (rates.frequency > 0)
    out << "  fastest vibration: " << rates.frequency << " rad per time, period "
        << 2 * std::numbers::pi / rates.frequency << "\n";
  if (rates.damping > 0) out << "  fastest decay: " << rates.damping << " per time\n";
  const auto limit = [&](const char* who, Method method) {
    const double step = largest_stable_step(method, rates);
    if (std::isfinite(step)) out << "  " << who << " need steps below about " << step << "\n";
  };
  limit("rattlie and shakelie", Method::rattlie);
  limit("half-explicit-rk and munthe-kaas-rk", Method::half_explicit_rk);
  if (!s.integrator.adaptive && t.step > largest_stable_step(s.integrator.method, rates))
    out << "  the step " << t.step << " is TOO LARGE for " << word_of(s.integrator.method) << "\n";
}

}  // namespace

std::string describe_model(const Scenario& s, const Model& m) {
  const System& system = *m.system;
  std::ostringstream out;
  out.precision(9);
  out << (s.title.empty() ? "(no title)" : s.title) << "\n";
  objects(out, s, m);
  out << "size\n  " << count(system.space().nodes(), "node") << ", " << system.size_v() << " velocities, "
      << count(system.size_rows(), "constraint")
      << (system.size_mu() > 0 ? " (" + std::to_string(system.size_mu()) + " of them nonholonomic)" : "") << ": "
      << count(system.size_v() - system.size_rows() + static_cast<long>(m.consistency.dropped_rows.size()), "degree")
      << " of freedom\n";
  start(out, m);
  method(out, s, m);
  if (!m.remarks.empty()) out << "remarks\n";
  for (const std::string& remark : m.remarks) out << "  " << remark << "\n";
  return out.str();
}

}  // namespace filum::scenario
