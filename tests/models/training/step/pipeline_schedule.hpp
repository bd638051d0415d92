#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/errors/model_error.hpp"
#include "models/training/job/layout.hpp"
#include "models/units/physics.hpp"

/// Simulates pipeline schedules operation by operation, to check the closed form.
namespace bursar::test {

/// One micro-batch on one stage, its messages to the neighbours included.
struct StageTime {
    Seconds forward;
    Seconds backward;

    [[nodiscard]] Seconds both() const { return forward + backward; }
};

/// One pass of one micro-batch through one chunk of a rank.
struct PipelineOp {
    bool backward{};
    std::int64_t chunk{};       ///< of this rank, 0..chunks - 1
    std::int64_t micro_batch{}; ///< 0..micro_batches - 1
};

using Orders = std::vector<std::vector<PipelineOp>>;

// The k-th forward of an interleaved rank: groups of `ranks` micro-batches, chunk after chunk.
inline PipelineOp
interleaved_op(std::int64_t k, bool backward, std::int64_t ranks, std::int64_t chunks) {
    const std::int64_t group = k / (ranks * chunks);
    const std::int64_t chunk = k % (ranks * chunks) / ranks;
    return {backward, backward ? chunks - 1 - chunk : chunk, group * ranks + k % ranks};
}

inline std::int64_t forwards_ahead(PipelineSchedule schedule,
                                   std::int64_t rank,
                                   std::int64_t ranks,
                                   std::int64_t chunks) {
    if (schedule == PipelineSchedule::interleaved)
        return 2 * (ranks - 1 - rank) + (chunks - 1) * ranks;
    return ranks - 1 - rank;
}

inline std::vector<PipelineOp> gpipe_order(std::int64_t micro_batches) {
    std::vector<PipelineOp> order;
    for (std::int64_t i = 0; i < micro_batches; ++i)
        order.push_back({false, 0, i});
    for (std::int64_t i = micro_batches; i-- > 0;)
        order.push_back({true, 0, i});
    return order;
}

// When each pass of each (rank, chunk, micro-batch) ended; nothing: not yet.
class EndTimes {
  public:
    EndTimes(std::int64_t ranks, std::int64_t chunks, std::int64_t micro_batches)
        : ranks_{ranks}, chunks_{chunks}, micro_batches_{micro_batches},
          ends_(static_cast<std::size_t>(2 * ranks * chunks * micro_batches)) {}

    std::optional<Seconds>& at(const PipelineOp& op, std::int64_t rank) {
        const std::int64_t direction = op.backward ? 1 : 0;
        const std::int64_t row = (direction * ranks_ + rank) * chunks_ + op.chunk;
        return ends_[static_cast<std::size_t>(row * micro_batches_ + op.micro_batch)];
    }

    // When the inputs of `op` on `rank` are ready; the start of the pipeline needs none.
    std::optional<Seconds> ready(const PipelineOp& op, std::int64_t rank) {
        const std::int64_t last = ranks_ - 1;
        if (!op.backward) {
            if (rank > 0)
                return at(op, rank - 1);
            return op.chunk == 0 ? Seconds{} : at({false, op.chunk - 1, op.micro_batch}, last);
        }
        if (rank < last)
            return at(op, rank + 1);
        if (op.chunk == chunks_ - 1)
            return at({false, op.chunk, op.micro_batch}, last);
        return at({true, op.chunk + 1, op.micro_batch}, 0);
    }

  private:
    std::int64_t ranks_;
    std::int64_t chunks_;
    std::int64_t micro_batches_;
    std::vector<std::optional<Seconds>> ends_;
};

/// The operations of `rank` of `ranks`, in order.
///
/// GPipe (Huang 2019): all forwards, then all backwards in reverse. 1F1B (Narayanan 2021 section
/// 2.2): ranks - 1 - rank forwards to fill, then one forward and one backward in turn. Interleaved:
/// micro-batches go through the chunks in groups of `ranks`, after
/// 2 (ranks - 1 - rank) + (chunks - 1) ranks forwards.
///
/// chunks: 1 unless interleaved. Throws ModelError when interleaved micro-batches are no multiple
/// of the ranks.
inline std::vector<PipelineOp> pipeline_order(PipelineSchedule schedule,
                                              std::int64_t rank,
                                              std::int64_t ranks,
                                              std::int64_t chunks,
                                              std::int64_t micro_batches) {
    if (schedule == PipelineSchedule::gpipe)
        return gpipe_order(micro_batches);
    if (chunks > 1 && micro_batches % ranks != 0)
        throw ModelError{"micro_batches",
                         std::to_string(micro_batches) + " do not go through " +
                             std::to_string(ranks) + " interleaved stages in whole groups",
                         "give a multiple of " + std::to_string(ranks)};
    const std::int64_t passes = micro_batches * chunks;
    const std::int64_t ahead = std::min(passes, forwards_ahead(schedule, rank, ranks, chunks));
    std::vector<PipelineOp> order;
    for (std::int64_t k = 0; k < ahead; ++k)
        order.push_back(interleaved_op(k, false, ranks, chunks));
    for (std::int64_t k = 0; k < passes; ++k) {
        if (ahead + k < passes)
            order.push_back(interleaved_op(ahead + k, false, ranks, chunks));
        order.push_back(interleaved_op(k, true, ranks, chunks));
    }
    return order;
}

/// Time from the first forward to the last backward. Every rank executes its operations in order
/// and waits for their inputs; messages take no extra time.
///
/// ranks: one entry each, times of all its chunks together; a chunk takes its share. Not empty.
inline Seconds play_pipeline(PipelineSchedule schedule,
                             std::span<const StageTime> ranks,
                             std::int64_t chunks,
                             std::int64_t micro_batches) {
    assert(!ranks.empty());
    const auto count = static_cast<std::int64_t>(ranks.size());
    Orders orders;
    for (std::int64_t rank = 0; rank < count; ++rank)
        orders.push_back(pipeline_order(schedule, rank, count, chunks, micro_batches));
    EndTimes ends{count, chunks, micro_batches};
    std::vector<std::size_t> next(ranks.size());
    std::vector<Seconds> free(ranks.size());
    // Each round runs every operation that is ready; a deadlocked schedule makes no progress.
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            const auto id = static_cast<std::int64_t>(rank);
            for (; next[rank] < orders[rank].size(); ++next[rank], moved = true) {
                const PipelineOp& op = orders[rank][next[rank]];
                const std::optional<Seconds> ready = ends.ready(op, id);
                if (!ready)
                    break;
                const Seconds all = op.backward ? ranks[rank].backward : ranks[rank].forward;
                free[rank] = std::max(free[rank], *ready) + all / static_cast<double>(chunks);
                ends.at(op, id) = free[rank];
            }
        }
    }
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        assert(next[rank] == orders[rank].size());
    return *std::max_element(free.begin(), free.end());
}

/// Bubble over useful work: (p - 1) / (v m), the same for GPipe and 1F1B (v = 1). Source: Narayanan
/// et al. 2021 section 2.2. stages, chunks, micro_batches: > 0.
inline double bubble_ratio(std::int64_t stages, std::int64_t chunks, std::int64_t micro_batches) {
    return static_cast<double>(stages - 1) / static_cast<double>(chunks * micro_batches);
}

/// The same as a share of the whole: r / (1 + r).
inline double bubble_share(std::int64_t stages, std::int64_t chunks, std::int64_t micro_batches) {
    const double ratio = bubble_ratio(stages, chunks, micro_batches);
    return ratio / (1 + ratio);
}

} // namespace bursar::test
