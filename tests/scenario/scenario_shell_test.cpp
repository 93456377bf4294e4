/// Shells and supports in files: round trips, places, refusals. User document: docs/guide/scenarios.md, "Shells".
#include "scenario/built.hpp"
#include "scenario/texts.hpp"

#include <filum/model/shell.hpp>
#include <filum/parts/shell.hpp>
#include <filum/scenario/scenario.hpp>
#include <filum/testing/part_checks.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace filum::scenario {
namespace {

using test::Built;
using test::complaints;
using test::parse;
using test::replaced;
using testing::HasSubstr;

const std::string rich_shell = R"toml(schema = 1
title = "shells"
gravity = [0, 0, -9.81]
[parameters]
R = 2
[time]
end = 0.01
step = 1e-3
[integrator]
method = "generalized-alpha"
[[shell]]
name = "sheet"
corner = [0, 0, 1]
edges = [[1, 0, 0], [0.2, 1, 0]]
segments = [4, 2]
thickness = 0.05
rho = 1000
E = 1e6
nu = 0.3
couple_modulus = "G/2"
drilling = "0.1*G*1e-4"
hourglass = 0.25
inertia = "thin"
damping = { time = 1e-3 }
velocity = [0, 0, "s1*s2"]
color = "#0044cc"
[[shell]]
name = "tube"
map = ["R*cos(s1/R)", "R*sin(s1/R)", "s2"]
size = ["2*pi*R", 1]
segments = [6, 2]
closed = "s1"
layers = [{ thickness = 0.01, angle = 0.3, E1 = 1e7, E2 = 1e6, nu12 = 0.25, G12 = 5e5, G13 = 5e5, G23 = 4e5, rho = 900 }, { thickness = 0.02, angle = -0.3, E1 = 1e7, E2 = 1e6, nu12 = 0.25, G12 = 5e5, G13 = 5e5, G23 = 4e5, rho = 1500 }]
[[shell]]
name = "curl"
initial = "rest"
corner = [5, 0, 0]
size = [1, 0.5]
nodes1 = [0, 0.3, 1]
nodes2 = [0, 0.5]
rest_strain1 = [0, "0.5*s1", 0, 1, 0, 0]
held = ["shear1", "shear2", "axial1"]
thickness = 0.01
rho = 1000
E = 1e6
nu = 0
group = "SE3"
[[shell]]
name = "points"
initial = { positions = [[0, 5, 0], [1, 5, 0.1], [0, 6, 0], [1, 6, 0]], velocities = [[0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1]] }
nodes1 = [0, 1]
nodes2 = [0, 1]
thickness = 0.01
rho = 1000
E = 1e6
nu = 0
[[beam]]
name = "rod"
from = [0, 0, 1]
to = [1, 0, 1]
segments = 4
model = "cosserat"
section = { shape = "circle", radius = 0.01, E = 1e8, nu = 0.3, rho = 1000 }
[[joint]]
name = "stiffener"
type = "fixed"
connects = ["rod:all", "sheet:s2=0"]
[[joint]]
type = "spherical"
connects = ["ground", "sheet:0,end"]
[[support]]
name = "rim"
on = "tube:s2=0"
hold = ["z", "x", "rx"]
[[load]]
on = "sheet"
force = ["-0.1*vx", "s1*s2", "z"]
[[load]]
on = "tube"
pressure = "10*t + 3*s2*cos(s1/R) - 2*z - 0.1*vx*x"
[[load]]
on = "sheet:s1=end"
force = ["-0.2*vy", "0.1*x", "1 + s2 - 0.3*z"]
moment = [0.1, "-0.05*wy", 0]
[[joint]]
name = "lift"
type = "drive"
connects = ["ground", "curl:s1=0"]
position = [5, 0, "t^2"]
[[load]]
on = "sheet@0.5,0.5"
force = ["-y", "-0.3*vz", 1]
moment = ["-0.1*wx", "z*vx", 0]
[[load]]
on = "curl"
damping = 0.1
[[sensor]]
name = "middle"
on = "sheet@0.5,0.5"
quantity = "stress"
[[sensor]]
name = "reaction"
on = "rim"
quantity = "force"
)toml";

TEST(ShellRoundTrip, OfEverythingAFileCanSayIsExactAndGivesTheSameBits) {
  const std::string once = to_toml(parse(rich_shell)), twice = to_toml(parse(once));
  EXPECT_EQ(once, twice);
  EXPECT_THAT(once, HasSubstr("closed = \"s1\""));
  EXPECT_THAT(once, HasSubstr("connects = [\"rod:all\", \"sheet:s2=0\"]"));
  EXPECT_THAT(once, HasSubstr("hold = [\"x\", \"z\", \"rx\"]"));
  const Built a(parse(rich_shell)), b(parse(once));
  EXPECT_EQ(a.run().q, b.run().q);
}

TEST(ShellFile, HasExactDerivativesOfAllLoadsAndConstraints) {
  const Built m(parse(rich_shell));
  mechanics::State x = m.run();
  x.v += checks::random_vector(m.system.size_v(), 7, 0.3);
  auto report = checks::check_force_derivatives(m.system, x, 1e-7);
  report += checks::check_constraints(m.system, x, 1e-7);
  EXPECT_TRUE(report.ok) << report.text.substr(report.text.size() > 400 ? report.text.size() - 400 : 0);
}

TEST(ShellFile, AddsLinesOfNodesWhereSomethingIsAttached) {
  const Built m(parse(rich_shell));
  std::string remarks;
  for (const std::string& r : m.model.remarks()) remarks += r + "\n";
  EXPECT_THAT(remarks, HasSubstr("shell sheet: a line of nodes was added at s2 = 0.5"));
  EXPECT_THAT(m.model.description(), HasSubstr("4 x 3 cells"));
}

TEST(ShellFile, JoinsLinesNodeByNode) {
  try {
    const Built m(parse(replaced(rich_shell, "to = [1, 0, 1]\nsegments = 4", "to = [1, 0, 1]\nsegments = 7")));
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("lines are joined node by node"));
  }
}

TEST(ShellFile, ClosesOnlyWhereItsMapCloses) {
  try {
    const Built m(parse(replaced(rich_shell, "size = [\"2*pi*R\", 1]", "size = [\"2*R\", 1]")));
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("closed in s1, but its points at s1 = 0 and s1 = 4.000000 differ"));
  }
}

TEST(ShellFile, SaysWhatIsWrongAndWhere) {
  const auto complaint = [](const std::string& from, const std::string& to) {
    return complaints(replaced(rich_shell, from, to));
  };
  EXPECT_THAT(complaint("nu = 0.3\ncouple", "couple"), HasSubstr("shell.sheet.nu: this key is missing"));
  EXPECT_THAT(complaint("edges = [[1, 0, 0], [0.2, 1, 0]]\n", ""), HasSubstr("the shell has no shape"));
  EXPECT_THAT(complaint("couple_modulus = \"G/2\"", "couple_modulus = -1"), HasSubstr("couple_modulus"));
  EXPECT_THAT(complaint("\"axial1\"]", "\"inplane\"]"), HasSubstr("shell.curl.held[2]: in-plane shear cannot be held"));
  EXPECT_THAT(complaint("\"axial1\"]", "\"torsion\"]"), HasSubstr("shell.curl.held[2]: expected 'shear1'"));
  EXPECT_THAT(complaint("on = \"sheet:s1=end\"", "on = \"sheet:left\""),
              HasSubstr("'sheet:s1=0' or 'sheet:0,end' on a shell"));
  EXPECT_THAT(complaint("segments = [6, 2]", "segments = [2, 2]"), HasSubstr("at least three cells"));
  EXPECT_THAT(complaint("on = \"sheet:s1=end\"", "on = \"sheet:s1=3\""),
              HasSubstr("has s1 from 0 to 1; 3 is not among them"));
  EXPECT_THAT(complaint("on = \"sheet@0.5,0.5\"\nquantity", "on = \"sheet:s1=0\"\nquantity"),
              HasSubstr("acts at one node"));
  EXPECT_THAT(complaint("on = \"tube\"\npressure", "on = \"rod\"\npressure"),
              HasSubstr("a pressure acts on a whole shell, not on a beam"));
  EXPECT_THAT(complaint("on = \"sheet\"\nforce", "on = \"rod\"\nforce"),
              HasSubstr("s1 and s2 are coordinates on a shell; 'rod' is a beam"));
  EXPECT_THAT(complaint("hold = [\"z\", \"x\", \"rx\"]", "hold = [\"z\", \"q\"]"), HasSubstr("support.rim.hold[1]"));
  EXPECT_THAT(complaint("E1 = 1e7, E2 = 1e6, nu12 = 0.25, G12 = 5e5, G13 = 5e5, G23 = 4e5, rho = 900",
                        "E1 = 1e7, E2 = 1e6, nu12 = 25, G12 = 5e5, G13 = 5e5, G23 = 4e5, rho = 900"),
              HasSubstr("nu12"));
}

/// The formulas of the guide: free of stress as drawn, areas with errors of second order.
TEST(ShellFile, DrawsConesSphericalCapsAndTubesByFormulas) {
  struct Surface {
    const char *map, *size, *closed;
    double area;
  };
  using std::numbers::pi;
  const double a = 0.4, R = 2;
  for (const Surface& s : {Surface{"['(1+s1)*cos(s2)*sin(0.4)', '(1+s1)*sin(s2)*sin(0.4)', '(1+s1)*cos(0.4)']",
                                   "[2, '2*pi']", "s2", pi * (9 - 1) * std::sin(a)},
                           Surface{"['2*cos(s1)*cos(s2)', '2*sin(s1)*cos(s2)', '2*sin(s2)']", "['2*pi', 1.2]", "s1",
                                   2 * pi * R * R * std::sin(1.2)},
                           Surface{"['s1', '2*sin(s2/2)', '2*cos(s2/2)']", "[1, '4*pi']", "s2", 4 * pi}}) {
    std::vector<double> errors;
    for (const int n : {8, 16}) {
      const Built m(parse(std::string("schema = 1\n[time]\nend = 1\nstep = 1\n[integrator]\nmethod = 'rattlie'\n") +
                          "[[shell]]\nname = 'cap'\nmap = " + s.map + "\nsize = " + s.size + "\nsegments = [" +
                          std::to_string(n) + ", " + std::to_string(n) + "]\nclosed = '" + s.closed +
                          "'\nthickness = 0.01\nrho = 100\nE = 1e6\nnu = 0.3\n"));
      EXPECT_EQ(m.system.potential_energy(0, m.start.q), 0);
      double area = 0;
      for (const auto& part : m.system.parts())
        if (const auto* shell = dynamic_cast<const parts::Shell*>(part.get()))
          for (int k = 0; k < shell->cells(); ++k) area += shell->area(k);
      errors.push_back(area / s.area - 1);
    }
    EXPECT_LT(std::abs(errors[0]), 0.02) << s.map;
    if (std::abs(errors[1]) > 1e-12) {  // tubes are exact
      EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.1) << s.map;
    }
  }
}

TEST(ShellFile, WarnsOfALoneMomentAboutTheNormal) {
  const Built m(parse(replaced(
      rich_shell, "on = \"sheet@0.5,0.5\"\nforce = [\"-y\", \"-0.3*vz\", 1]\nmoment = [\"-0.1*wx\", \"z*vx\", 0]",
      "on = \"sheet:end,end\"\nmoment = [0, 0, \"t\"]")));
  std::string remarks;
  for (const std::string& r : m.model.remarks()) remarks += r + "\n";
  EXPECT_THAT(remarks, HasSubstr("a moment about the normal of a single node"));
}

}  // namespace
}  // namespace filum::scenario
