#pragma once

#include <cstdint>
#include <optional>

#include "models/training/job/training_job.hpp"

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/workload/training_spec.hpp"

namespace bursar { inline namespace scenarios {

/// Of a gang: as many GPUs as a pool has at most.
inline constexpr std::int64_t max_ranks = (std::int64_t{1} << 24) - 1;

/// `auto`, or the layout as a mapping; what is left of the gang is data parallel.
struct ParallelismRule {
    using value_type = std::optional<ParallelismSpec>; ///< absent: auto
    [[nodiscard]] std::optional<value_type> read(const Reader& at) const;
    [[nodiscard]] Schema schema() const;
};

/// How samples reach the GPUs.
Table<InputPipeline> input_keys();

}} // namespace bursar::scenarios
