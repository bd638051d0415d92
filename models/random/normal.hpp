#pragma once

/// The functions a draw needs, made of additions, multiplications, divisions and square roots only,
/// which IEEE 754 fixes to the last bit. So a seed gives the same bytes on every machine;
/// logarithms and exponentials of C libraries differ in the last place. Host only.
namespace bursar { inline namespace models {

/// Natural logarithm of x, to 4 units in the last place. x: finite, normal, > 0 (asserted).
[[nodiscard]] double portable_log(double x);

/// e to the power x, to 4 units in the last place. x: -700 .. 700 (asserted).
[[nodiscard]] double portable_exp(double x);

/// The z that a standard normal variable stays below with probability u; relative error about
/// 1e-15. u: in (0, 1) (asserted).
///
/// Source: Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied
/// Statistics 37(3), 1988, routine PPND16.
[[nodiscard]] double normal_quantile(double u);

}} // namespace bursar::models
