#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/document/override.hpp"

namespace bursar { inline namespace scenarios {

/// Evenly spaced numbers of an axis: `30..60:5`, `0.2..0.4:0.05 USD/gpu-h`, `10 min..60 min:10
/// min`. All numbers of one range have the same unit. Exact: whole multiples of 10^-decimals.
struct ValueRange {
    std::int64_t first{};
    std::int64_t last{};
    std::int64_t step{}; ///< 0: none was written, as in `0..16`
    int decimals{};
    std::string unit; ///< after each number, with the blank before it; empty: none

    /// Number of values from `first` to at most `last`. step: > 0.
    [[nodiscard]] std::uint64_t size() const;
    /// Value number `i` as a scenario writes it: "0.25 USD/gpu-h".
    [[nodiscard]] std::string value(std::uint64_t i) const;
};

/// Absent if `text` is no range: `fifo`, `[1..2:1]`, `2026-01-01`. A range may be empty (`5..1:1`)
/// or have no step; the caller decides about that. It has at most 18 digits in all, including the
/// decimals of its finest number.
std::optional<ValueRange> parse_value_range(std::string_view text);

/// A path of a scenario and its values in order.
struct Axis {
    std::string path;                ///< as Override::path
    std::vector<std::string> values; ///< YAML each; at least one
    std::vector<Axis> with{}; ///< paths that change together with this one: as many values each
    std::vector<std::string> origins{}; ///< of each value, for messages; empty: "--vary N"
    std::string directory{};            ///< file names in values start here; empty: the current one
};

/// The values of a list entry: those of a range with a step (`30..60:5`, `0.2..0.4:0.05
/// USD/gpu-h`), else the entry itself (`0..16` is one value, a range of nodes). path: for messages.
/// Throws ScenarioError for a range that is empty or has too many values.
std::vector<std::string> values_of(std::string_view path, std::string_view entry);

/// Splits `PATH=V1,V2,...` at the first '=' and at commas outside brackets, braces and quotes;
/// ranges with a step become their values. `A=1,2; B=x,y` are two paths that change together.
/// Throws ScenarioError if a part is missing or empty, if brackets do not match, and if paths that
/// change together have different numbers of values.
Axis parse_axis(std::string_view text);

/// One scenario of the grid of several axes.
struct Variant {
    std::string label;          ///< "las, by: time", "sjf, skip"
    std::vector<Override> sets; ///< one per path, in order
};

/// The grid of several axes, numbered; the last axis changes fastest. Number 0 is the base, with
/// the first value of every axis. Variants are made on demand.
class VariantGrid {
  public:
    /// Throws ScenarioError for equal paths, or paths inside each other.
    explicit VariantGrid(std::vector<Axis> axes);

    /// At most 2^64 - 1, which then means at least that many.
    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// i: below size().
    [[nodiscard]] Variant at(std::uint64_t i) const;
    [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }

  private:
    std::vector<Axis> axes_;
    std::uint64_t size_{1};
};

inline constexpr std::size_t max_variants = 1000;

/// Every combination of the axes' values. Throws ScenarioError as VariantGrid, and for fewer than
/// two combinations or more than max_variants.
std::vector<Variant> all_variants(std::span<const Axis> axes);

/// Replaces the variants' labels, in order; quotes around a label are removed. Throws
/// ScenarioError, naming `--labels`, if there are more or fewer labels than variants, or if one is
/// empty or repeated.
void label_variants(std::vector<Variant>& variants, std::span<const std::string> labels);

}} // namespace bursar::scenarios
