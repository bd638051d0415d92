#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bursar { inline namespace reports {

/// A multiple of a unit that people read: 1 shown unit = `factor` plain ones.
struct ShownUnit {
    double factor{1};
    std::string_view name;
};

/// The multiple of `unit` to show a value of that size in: 0.0123 s as ms, 3e11 B as GB, a fraction
/// in per cent. A unit without multiples (USD, tokens/s) stays as it is; `unit` must outlive the
/// answer.
[[nodiscard]] ShownUnit shown_unit(std::string_view unit, double magnitude);

/// `value` with 4 significant digits, zeros behind the point cut off: "0.85", "1,234", "12.35",
/// "175.2e9" from a million up, "1.2e-6" below a ten-thousandth. "-" for what is not finite.
[[nodiscard]] std::string human_number(double value);

/// `value` with exactly `places` digits behind the point and commas between thousands.
[[nodiscard]] std::string human_number(double value, int places);

/// A count: every digit, commas between thousands.
[[nodiscard]] std::string human_count(std::int64_t value);

/// Power of ten of the first digit of `value` once it is rounded to 4 digits; value: finite, not 0.
[[nodiscard]] int leading_exponent(double value);

}} // namespace bursar::reports
