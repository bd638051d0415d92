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

/// The locality that a class requires and prefers, by level of the plan.
struct JobPlace {
    std::uint8_t required{JobShape::any_level};
    std::uint8_t preferred{JobShape::any_level};
    const std::string* required_name{}; ///< null: nothing is required
};

/// The locality levels of a plan: those of all pools in one order, and each pool's own among them.
///
/// A scenario without `topology`, `locality` and `slowdown` has one level, and no fabric is made.
class LocalityPlan {
  public:
    /// Builds the fabrics, and fills the levels of `plan` and `labels`. The NVLink domains of a
    /// pool with several per node become its nodes. Throws ScenarioError as pool_fabric does, for
    /// levels that two pools order differently, for names of levels that no pool has, and for a
    /// class that prefers a wider level than it requires. All but `plan` outlive this.
    LocalityPlan(const Scenario& scenario, const Catalogue& catalogue, Plan& plan, Labels& labels);

    [[nodiscard]] bool has_levels() const { return !pools_.empty(); }
    [[nodiscard]] std::size_t num_levels() const { return levels_.size(); }

    /// A level by any of its names.
    [[nodiscard]] std::optional<std::uint8_t> level(std::string_view name) const;

    /// The locality of a class of the scenario.
    [[nodiscard]] JobPlace place_of(std::uint16_t job_class) const {
        return job_class < classes_.size() ? classes_[job_class] : JobPlace{};
    }

    /// Pools with a group of `gpus` GPUs at the required level, as bits; all pools if no level is
    /// required.
    [[nodiscard]] std::uint64_t pools_with(const JobPlace& place, std::int64_t gpus) const;
    /// GPUs of the largest group of that level in any of `pools`; 0 if none has the level.
    [[nodiscard]] std::int64_t largest_group(std::string_view name, std::uint64_t pools) const;

    /// The narrowest level that can hold a gang in a pool.
    [[nodiscard]] std::size_t narrowest_level(std::size_t pool, std::int64_t gpus) const;

    /// The pool's own level that corresponds to a level of the plan.
    [[nodiscard]] std::size_t own_level(std::size_t pool, std::size_t level) const {
        return levels_[level].own[pool];
    }
    [[nodiscard]] const Locality& locality(std::size_t pool) const { return pools_[pool].locality; }
    /// Computed on the first call.
    [[nodiscard]] const std::vector<LevelRates>& rates(std::size_t pool) const;

  private:
    struct PlanLevel {
        std::vector<std::string> names;
        std::vector<std::size_t> own; ///< by pool: index of its own level
    };

    void order_levels(const Scenario& scenario);
    /// "node" if it has that name; else the narrowest of the names that all pools share, or of all
    /// names.
    [[nodiscard]] std::string label_of(const PlanLevel& level) const;
    void fill(Plan& plan, Labels& labels) const;
    void check_names(const Scenario& scenario) const;
    void check_name(const std::string& name,
                    const Written& written,
                    const ClassSpec& spec,
                    const Scenario& scenario) const;

    std::vector<PoolFabric> pools_; ///< empty: one level
    std::vector<PlanLevel> levels_;
    std::vector<JobPlace> classes_; ///< empty: no class has a locality
    mutable std::vector<std::optional<std::vector<LevelRates>>> rates_;
};

}} // namespace bursar::scenarios
