#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/reader/reader.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The mapping `sweep`: paths with their values, and `zip`, `list`, `draw`, `seeds` and
/// `max_scenarios`. Unknown paths are reported when a scenario with their value is read.
class SweepRule {
  public:
    using value_type = SweepSpec;

    /// keys: the top-level keys of a scenario; every path begins with one.
    explicit SweepRule(std::vector<std::string> keys) : keys_{std::move(keys)} {}

    [[nodiscard]] std::optional<SweepSpec> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;

  private:
    void check_path(const Reader& at, const std::string& path) const;
    [[nodiscard]] std::optional<Axis> read_together(const Reader& at) const;
    void read_zips(const Reader& at, SweepSpec& sweep) const;
    void read_list(const Reader& at, SweepSpec& sweep) const;

    std::vector<std::string> keys_;
};

}} // namespace bursar::scenarios
