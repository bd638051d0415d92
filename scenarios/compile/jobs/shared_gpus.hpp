#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "scenarios/compile/compiled/compiled.hpp"
#include "scenarios/compile/speeds/run_kind.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Finds the jobs that may share the GPUs of a gang, and how fast each then works: by the speeds
/// that were measured of pairs of types of jobs (`packing: on` of an allocator). What a job is
/// slower than alone is a stall for interference.
///
/// Jobs share GPUs if their types were measured together on the GPU of a pool with their number of
/// GPUs, they ask for whole GPUs and for nothing else of a node, and their class saves only at a
/// stop, at no cost, and cleans up nothing.
class SharedGpus {
  public:
    /// scenario: outlives this.
    explicit SharedGpus(const Scenario& scenario);

    /// The next job of the plan. kind: null if a model computes its run time.
    void add(const RunKind* kind);

    /// Adds pairs, and their classes and shapes, to a plan with all its jobs and shapes. Warns of
    /// jobs that share none.
    void put(Compiled& compiled) const;

  private:
    /// Jobs that are alike: of a type, a class and a shape of the plan.
    struct Alike {
        std::uint16_t plan_class{};
        std::uint16_t shape{};
        std::uint32_t job_type{};

        auto operator<=>(const Alike&) const = default;
    };
    using Kinds = std::map<Alike, std::vector<std::size_t>>; ///< with their jobs

    [[nodiscard]] Kinds kinds_of(const Plan& plan) const;
    [[nodiscard]] std::uint64_t
    pools_of(const Plan& plan, const Alike& one, const Alike& other) const;
    /// By pool and level: how jobs work beside others, on the pools where they may.
    [[nodiscard]] std::vector<PlanSpeed> speeds_beside(const Plan& plan,
                                                       const Alike& one,
                                                       const Alike& other,
                                                       std::uint64_t pools) const;
    [[nodiscard]] std::uint16_t
    add_class(Compiled& compiled, std::uint16_t like, const std::vector<PlanSpeed>& speeds) const;
    [[nodiscard]] std::uint16_t add_half(Plan& plan, std::uint16_t shape) const;
    void note(bool some_share, Compiled& compiled) const;

    const Scenario& scenario_;
    bool is_on_{};
    std::vector<std::uint32_t> job_types_; ///< by job; 0: not measured
};

}} // namespace bursar::scenarios
