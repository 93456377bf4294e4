/// Coefficients of Radau IIA with three stages. Theory: docs/theory/radau.md, sec. 1 to 3.
#pragma once

#include <array>
#include <cstddef>

namespace filum::integrate {

/// (RA.2) c, A and its inverse; (RA.9) the real basis in which the inverse is a number and a rotation.
struct RadauTableau {
  static constexpr int stages = 3, order = 5;
  using Row = std::array<double, stages>;
  using Matrix = std::array<Row, stages>;
  static constexpr double sqrt6 = 2.449489742783178098197284074705891;

  static constexpr Row c{(4 - sqrt6) / 10, (4 + sqrt6) / 10, 1};
  static constexpr Matrix A{{{(88 - 7 * sqrt6) / 360, (296 - 169 * sqrt6) / 1800, (-2 + 3 * sqrt6) / 225},
                             {(296 + 169 * sqrt6) / 1800, (88 + 7 * sqrt6) / 360, (-2 - 3 * sqrt6) / 225},
                             {(16 - sqrt6) / 36, (16 + sqrt6) / 36, 1.0 / 9}}};
  static constexpr Matrix A_inv{{{2 + sqrt6 / 2, -6.0 / 5 + 29 * sqrt6 / 30, 2.0 / 5 - 4 * sqrt6 / 15},
                                 {-6.0 / 5 - 29 * sqrt6 / 30, 2 - sqrt6 / 2, 2.0 / 5 + 4 * sqrt6 / 15},
                                 {-1 + 8 * sqrt6 / 3, -1 - 8 * sqrt6 / 3, 5}}};

  /// A⁻¹ = basis · [γ 0 0; 0 α −β; 0 β α] · basis_inv
  static constexpr double gamma = 3.6378342527444957322, alpha = 2.6810828736277521339, beta = 3.0504301992474105694;
  static constexpr Matrix basis{{{9.1232394870892942792e-02, -0.14125529502095420843, -3.0029194105147424492e-02},
                                 {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
                                 {0.96604818261509293619, 1, 0}}};
  static constexpr Matrix basis_inv{{{4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
                                     {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
                                     {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497}}};

  /// (RA.17) Weights of the embedded formula of order 3.
  static constexpr Row error{-(13 + 7 * sqrt6) / 3, (-13 + 7 * sqrt6) / 3, -1.0 / 3};

  /// Values at s of the polynomials that are 1 at one of the nodes and 0 at the others.
  template <std::size_t n>
  static constexpr std::array<double, n> lagrange(const std::array<double, n>& nodes, double s) {
    std::array<double, n> values{};
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = 1;
      for (std::size_t j = 0; j < n; ++j)
        if (j != i) values[i] *= (s - nodes[j]) / (nodes[i] - nodes[j]);
    }
    return values;
  }
};

}  // namespace filum::integrate
