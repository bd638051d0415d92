#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/places/locality_plan.hpp"
#include "scenarios/compile/training/train_on_pool.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// A pool that a gang cannot train on, and why not.
struct RefusedPool {
    std::size_t pool{};
    std::string parameter; ///< the refused parameter; empty: a fact of the GPU is missing
    std::string why;
};

/// How gangs of one size of a class train. Such jobs differ only in when they are submitted.
struct TrainedGang {
    std::size_t job_class{};      ///< of the scenario
    std::vector<TrainedOn> pools; ///< where it can train, in fleet order
    std::vector<RefusedPool> refused;
    std::uint64_t permitted{};  ///< the pools as bits
    std::int64_t work_ms{};     ///< on the fastest of them, the reference; at most 2^40
    std::uint16_t plan_class{}; ///< its row in Plan::classes
};

/// Lays out and times the classes with a model, once per gang size.
class TrainedClasses {
  public:
    /// All outlive this. New rows are appended to the classes and speeds of `plan`.
    TrainedClasses(const Scenario& scenario,
                   const Catalogue& catalogue,
                   const LocalityPlan& places,
                   Plan& plan)
        : scenario_{scenario}, catalogue_{catalogue}, places_{places}, plan_{plan} {}

    /// Whether jobs of that class train a model.
    [[nodiscard]] bool trains(std::uint16_t job_class) const {
        return job_class < scenario_.classes.size() &&
               scenario_.classes[job_class].training.model.has_value();
    }

    /// How a gang of `gpus` trains on each of `pools`, as bits. If no pool can train it,
    /// `permitted` is 0, and a finding is added if it `must` train. Calls with the same class and
    /// gang size have the same pools.
    const TrainedGang&
    gang(std::uint16_t job_class, std::uint32_t gpus, std::uint64_t pools, bool must = true);

    /// Gangs that no pool can train.
    [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }

    /// Every gang of earlier calls that can train, by class and size.
    [[nodiscard]] std::vector<TrainedGang> take();

  private:
    [[nodiscard]] TrainedGang
    train(std::uint16_t job_class, std::uint32_t gpus, std::uint64_t pools) const;
    [[nodiscard]] TrainedOn
    train_on(const ClassSpec& spec, std::uint32_t gpus, std::size_t pool, const Gpu& gpu) const;
    void add_to_plan(TrainedGang& gang);
    void report(const TrainedGang& gang, std::uint32_t gpus);

    const Scenario& scenario_;
    const Catalogue& catalogue_;
    const LocalityPlan& places_;
    Plan& plan_;
    std::map<std::pair<std::uint16_t, std::uint32_t>, TrainedGang> gangs_;
    std::set<std::pair<std::uint16_t, std::uint32_t>> reported_; ///< keys of gangs_
    std::vector<Finding> findings_;
};

}} // namespace bursar::scenarios
