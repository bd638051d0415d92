#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Chooses how often jobs of classes with `when: young-daly` save: Daly's interval for the rate at
/// which a gang of that size is interrupted on each pool.
class Cadences {
  public:
    /// All outlive this. zero_utc_ms: date of the scenario's zero, if it has one. New rows are
    /// appended to the classes and speeds of `plan`.
    Cadences(const Scenario& scenario,
             const Catalogue& catalogue,
             std::optional<std::int64_t> zero_utc_ms,
             Plan& plan)
        : scenario_{scenario}, catalogue_{catalogue}, zero_utc_ms_{zero_utc_ms}, plan_{plan} {}

    /// Row of Plan::classes for gangs of `gpus` of the scenario's class `job_class`, which had
    /// `plan_class`. The same row if the class states how often it saves. permitted: pools that the
    /// job may use, as bits, at least one.
    std::uint16_t row_of(std::uint16_t plan_class,
                         std::uint16_t job_class,
                         std::uint32_t gpus,
                         std::uint64_t permitted);

    /// Row of Plan::classes for jobs that had `plan_class` and save after each `interval` at work,
    /// and whenever else their class says.
    std::uint16_t row_every(std::uint16_t plan_class, std::uint16_t job_class, Duration interval);

    /// The chosen intervals, by class and pool.
    [[nodiscard]] std::vector<std::string> assumed() const;

  private:
    /// The interval chosen for gangs of one size on a pool.
    struct Choice {
        Duration interval{};             ///< horizon_ms: never
        double interruptions_per_hour{}; ///< interruptions that lose unsaved work
    };

    [[nodiscard]] bool chooses(std::uint16_t job_class) const;
    [[nodiscard]] Choice choose(const ClassSpec& spec, std::uint32_t gpus, std::size_t pool) const;
    [[nodiscard]] std::string text_of(std::uint16_t job_class,
                                      std::size_t pool,
                                      const std::map<std::uint32_t, Choice>& chosen) const;

    const Scenario& scenario_;
    const Catalogue& catalogue_;
    std::optional<std::int64_t> zero_utc_ms_;
    Plan& plan_;
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::uint16_t> rows_;  ///< by row and gang
    std::map<std::pair<std::uint16_t, Duration>, std::uint16_t> rows_every_; ///< by row
    /// By class, pool and gang.
    std::map<std::pair<std::uint16_t, std::size_t>, std::map<std::uint32_t, Choice>> chosen_;
};

}} // namespace bursar::scenarios
