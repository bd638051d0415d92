#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "reports/document/document.hpp"

#include "tools/sweep/sweep_plan.hpp"

namespace bursar { inline namespace tools {

/// The size of a sweep: scenarios, runs, plans, and the runs of this shard. Its time and memory are
/// estimated from the first possible run of the shard, by jobs and policy alone: expect an error of
/// a factor of two. refine: adds the most runs that this number of rounds may make.
[[nodiscard]] Document estimate_sweep(const SweepPlan& plan,
                                      const Shard& shard,
                                      std::size_t threads,
                                      std::optional<std::uint64_t> refine = {});

struct SweepStatus {
    Document answer;             ///< the number of runs, and the runs without a result
    std::uint64_t num_missing{}; ///< runs without a result; of failed ones those of the grid
};

/// Status of the sweep in a folder, which may be running. Throws ReportError if there is none.
[[nodiscard]] SweepStatus sweep_status(const std::filesystem::path& folder);

}} // namespace bursar::tools
