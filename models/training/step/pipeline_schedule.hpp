#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/training/layout.hpp"
#include "models/training/step/pipeline.hpp"

namespace bursar { inline namespace models {

/// One pass of one micro-batch through one chunk of a rank.
struct PipelineOp {
    bool backward{};
    std::int64_t chunk{};       ///< of this rank, 0..chunks - 1
    std::int64_t micro_batch{}; ///< 0..micro_batches - 1
};

/// What `rank` of `ranks` does, in order.
///
/// GPipe (Huang 2019): all forwards, then all backwards in reverse. 1F1B (Narayanan 2021 section
/// 2.2): ranks - 1 - rank forwards to fill, then one forward and one backward in turn. Interleaved:
/// micro-batches go through the chunks in groups of `ranks`, after
/// 2 (ranks - 1 - rank) + (chunks - 1) ranks forwards.
///
/// chunks: 1 unless interleaved. Throws ModelError when interleaved micro-batches are no multiple
/// of the ranks.
std::vector<PipelineOp> pipeline_order(PipelineSchedule schedule,
                                       std::int64_t rank,
                                       std::int64_t ranks,
                                       std::int64_t chunks,
                                       std::int64_t micro_batches);

/// Time from the first forward to the last backward when every rank works its order off and waits
/// for what it needs: a discrete-event model of the schedule, messages without own time.
///
/// ranks: one entry each, times of all its chunks together; a chunk takes its share. Not empty.
Seconds play_pipeline(PipelineSchedule schedule,
                      std::span<const StageTime> ranks,
                      std::int64_t chunks,
                      std::int64_t micro_batches);

}} // namespace bursar::models
