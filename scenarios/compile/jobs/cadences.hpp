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
    /// All outlive this. zero_utc_ms: the date of the scenario's zero, if it has one. Rows go to
    /// the classes and speeds of `plan`, behind those there are.
    Cadences(const Scenario& scenario,
             const Catalogue& catalogue,
             std::optional<std::int64_t> zero_utc_ms,
             Plan& plan)
        : scenario_{scenario}, catalogue_{catalogue}, zero_utc_ms_{zero_utc_ms}, plan_{plan} {}

    /// The row of Plan::classes that gangs of `gpus` have which belong to `job_class` of the
    /// scenario and had `plan_class`: that one, where the class says how often it saves. permitted:
    /// pools that it may use, as bits, at least one.
    std::uint16_t row_of(std::uint16_t plan_class,
                         std::uint16_t job_class,
                         std::uint32_t gpus,
                         std::uint64_t permitted);

    /// What was chosen, by class and pool.
    [[nodiscard]] std::vector<std::string> assumed() const;

  private:
    /// What was chosen for gangs of one size on a pool.
    struct Choice {
        Duration interval{};             ///< horizon_ms: never
        double interruptions_per_hour{}; ///< that lose what is not saved
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
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::uint16_t> rows_; ///< by row and gang
    /// By class, pool and gang.
    std::map<std::pair<std::uint16_t, std::size_t>, std::map<std::uint32_t, Choice>> chosen_;
};

}} // namespace bursar::scenarios
