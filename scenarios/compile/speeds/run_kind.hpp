#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "models/gpu/gpu.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// Properties of a row that decide the speed of its run time on a GPU. Rows of one kind are alike.
struct RunKind {
    std::uint16_t job_class{};
    std::uint16_t ran_on{};   ///< number of the GPU that it was measured on; 0: not specified
    bool row_names_gpu{};     ///< the row itself names it, so the job may run on other GPUs
    std::uint32_t job_type{}; ///< number in the measured throughputs; 0: not in them
    std::uint32_t gpus{};

    auto operator<=>(const RunKind&) const = default;
};

/// Finds the kind of rows that have a run time.
class RunKinds {
  public:
    /// All outlive this.
    RunKinds(const Scenario& scenario, const Catalogue& catalogue, const Trace& trace);

    /// The GPU of a row is that of its column `ran_on`, else the only one that it may use, else the
    /// workload's.
    [[nodiscard]] RunKind of(std::uint32_t row, std::uint16_t job_class) const;

    /// Whether the names of jobs affect their speed.
    [[nodiscard]] bool by_name() const { return scenario_.run_times.measured != nullptr; }

    /// The GPU of that number; null: not specified.
    [[nodiscard]] const Gpu* ran_on(const RunKind& kind) const { return gpus_[kind.ran_on]; }

  private:
    [[nodiscard]] std::uint16_t number_of(const Gpu* gpu);

    [[nodiscard]] std::uint32_t job_type(std::uint32_t row, std::uint16_t job_class) const;

    const Scenario& scenario_;
    const Trace& trace_;
    std::vector<const Gpu*> gpus_{nullptr}; ///< each once
    std::uint16_t workload_gpu_{};
    std::vector<std::uint16_t> ran_on_gpu_;   ///< per entry of the trace's ran_on_gpus
    std::vector<std::uint16_t> type_set_gpu_; ///< per entry of the trace's gpu_type_sets
};

}} // namespace bursar::scenarios
