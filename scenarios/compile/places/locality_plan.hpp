#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/topology/level_rates.hpp"

#include "sim/plan/labels.hpp"
#include "sim/plan/plan.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/scenario/scenario.hpp"
#include "scenarios/topology/pool_fabric.hpp"

namespace bursar { inline namespace scenarios {

/// What a class asks of the places of its gangs, as the plan has it.
struct JobPlace {
    std::uint8_t required{JobShape::any_level};
    std::uint8_t preferred{JobShape::any_level};
    const std::string* required_name{}; ///< null: nothing is required
};

/// The locality levels of a plan: those of all pools in one order, and each pool's own among them.
///
/// A scenario that speaks of no place (no `topology`, `locality` or `slowdown`) has one level and
/// no fabric is made.
class LocalityPlan {
  public:
    /// Builds the fabrics, and fills the levels of `plan` and `labels`. A pool whose nodes hold
    /// several NVLink domains gets these as its nodes. Throws ScenarioError: what pool_fabric
    /// throws, levels that lie the other way round in another pool, names of levels that no pool
    /// has, a class that prefers a wider level than it requires. All but `plan` outlive this.
    LocalityPlan(const Scenario& scenario, const Catalogue& catalogue, Plan& plan, Labels& labels);

    [[nodiscard]] bool has_levels() const { return !pools_.empty(); }
    [[nodiscard]] std::size_t num_levels() const { return levels_.size(); }

    /// A level by any of its names.
    [[nodiscard]] std::optional<std::uint8_t> level(std::string_view name) const;

    /// What a class of the scenario asks for.
    [[nodiscard]] JobPlace place_of(std::uint16_t job_class) const {
        return job_class < classes_.size() ? classes_[job_class] : JobPlace{};
    }

    /// The pools that have the level required with a group of `gpus` GPUs, as bits; all where none
    /// is.
    [[nodiscard]] std::uint64_t pools_with(const JobPlace& place, std::int64_t gpus) const;
    /// GPUs of the largest such group in any of `pools`; 0 where none has the level.
    [[nodiscard]] std::int64_t largest_group(std::string_view name, std::uint64_t pools) const;

    /// The narrowest level at which a gang can lie in a pool that holds it.
    [[nodiscard]] std::size_t narrowest_level(std::size_t pool, std::int64_t gpus) const;

    /// The pool's own level that a level of the plan is, or stands for.
    [[nodiscard]] std::size_t own_level(std::size_t pool, std::size_t level) const {
        return levels_[level].own[pool];
    }
    [[nodiscard]] const Locality& locality(std::size_t pool) const { return pools_[pool].locality; }
    /// Worked out when first asked for.
    [[nodiscard]] const std::vector<LevelRates>& rates(std::size_t pool) const;

  private:
    struct PlanLevel {
        std::vector<std::string> names;
        std::vector<std::size_t> own; ///< per pool: its own level
    };

    void order_levels(const Scenario& scenario);
    /// "node" where it is one; else the narrowest of the names that all pools have, or of all.
    [[nodiscard]] std::string label_of(const PlanLevel& level) const;
    void fill(Plan& plan, Labels& labels) const;
    void check_names(const Scenario& scenario) const;
    void check_name(const std::string& name,
                    const Written& written,
                    const ClassSpec& spec,
                    const Scenario& scenario) const;

    std::vector<PoolFabric> pools_; ///< empty: one level
    std::vector<PlanLevel> levels_;
    std::vector<JobPlace> classes_; ///< empty: none asks for anything
    mutable std::vector<std::optional<std::vector<LevelRates>>> rates_;
};

}} // namespace bursar::scenarios
