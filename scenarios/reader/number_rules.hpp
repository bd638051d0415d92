#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/reader/read_values.hpp"
#include "scenarios/reader/reader.hpp"

namespace bursar { inline namespace scenarios {

/// Whether JSON, and so the schema, reads this scalar as a number, true or false: unquoted 42, 1e3
/// or true, but not "42".
bool is_json_number(const Node& node);
bool is_json_word(const Node& node);

/// A number of thousandths in decimal form: 1.5 for 1500.
std::string milli_text(std::int64_t milli);

/// A whole number between two bounds, both allowed.
class WholeNumberRule {
  public:
    using value_type = std::int64_t;
    WholeNumberRule(std::int64_t min, std::int64_t max) : min_{min}, max_{max} {}
    [[nodiscard]] std::optional<std::int64_t> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;

  private:
    std::int64_t min_;
    std::int64_t max_;
};

/// Whether a bound belongs to the range it ends.
enum class Bound : std::uint8_t { included, excluded };

/// A number without unit, e.g. a factor; finite.
class NumberRule {
  public:
    using value_type = double;
    NumberRule(double min, Bound bound, double max) : min_{min}, bound_{bound}, max_{max} {}
    [[nodiscard]] std::optional<double> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;

  private:
    double min_;
    Bound bound_;
    double max_;
};

/// A number without unit and with at most 3 decimals, kept exactly. All in thousandths.
class MilliRule {
  public:
    using value_type = std::int64_t;
    MilliRule(std::int64_t min, std::int64_t max) : min_{min}, max_{max} {}
    [[nodiscard]] std::optional<std::int64_t> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;

  private:
    std::int64_t min_; ///< >= 0
    std::int64_t max_;
};

/// "8", "1..32", "8.." or "..4": whole numbers, both ends included.
struct CountRangeRule {
    using value_type = CountRange;
    [[nodiscard]] std::optional<CountRange> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

inline WholeNumberRule whole_number(std::int64_t min, std::int64_t max) {
    return {min, max};
}
/// A factor: above zero, up to 1e12.
inline NumberRule positive_number() {
    return {0, Bound::excluded, 1e12};
}
/// Thousandths of a number between two whole ones.
inline MilliRule thousandths(std::int64_t min, std::int64_t max) {
    return {min * 1000, max * 1000};
}
inline CountRangeRule count_range() {
    return {};
}

/// "2:1": two positive decimal numbers, the first over the second.
struct RatioRule {
    using value_type = double;
    [[nodiscard]] std::optional<double> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// Whether a value has the form of a ratio, not of a quantity.
inline bool looks_like_ratio(const Node& node) {
    return node.kind == NodeKind::scalar && node.text.find(':') != std::string_view::npos;
}

inline RatioRule ratio() {
    return {};
}

}} // namespace bursar::scenarios
