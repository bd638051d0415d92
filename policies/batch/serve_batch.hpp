#pragma once

#include <cstddef>
#include <cstdint>

#ifndef __CUDA_ARCH__
#include <atomic>
#endif

#include "sim/batch/answer_image.hpp"
#include "sim/batch/rows_image.hpp"
#include "sim/engine/loop.hpp"
#include "sim/engine/run_memory.hpp"

#include "policies/batch/batch.hpp"
#include "policies/runs/engine_types.hpp"

/// The work of a team on a batch: the body of the device's kernels, and of the lanes of a warp on
/// the host (tests/sim/team/emulated_warp.hpp).
namespace bursar { inline namespace policies {

/// The next number of a counter that many teams share. One lane calls it.
BURSAR_HD inline std::uint32_t take_number(std::uint32_t& counter) {
#ifdef __CUDA_ARCH__
    return atomicAdd(&counter, 1U);
#else
    return std::atomic_ref{counter}.fetch_add(1, std::memory_order_relaxed);
#endif
}

/// Data shared by the lanes of a team, in front of its arena.
struct BatchHead {
    std::uint32_t in_hand; ///< the number of the run
    ImageRecorder recorder;
};
inline constexpr std::size_t batch_head_bytes = (sizeof(BatchHead) + 63) / 64 * 64;

/// Lays out the memory of a run, or measures it. Precondition: the instance serves its rule.
template <class Types>
BURSAR_HD void lay_out_run(ArenaCarver& carver, const PlanView& plan, const BatchRun& run) {
    using Queue = typename Types::Queue;
    using Memory = RunMemory<typename Types::Pass, Queue, typename Types::Capacity>;
    with_queue_args<Queue>(run.order, run.rule, [&](const auto&... args) {
        Memory::lay_out(carver, plan, run.size, run.options, args...);
    });
}

/// The recorder of a run, with memory behind that of the run.
BURSAR_HD inline ImageRecorder
recorder_in(ArenaCarver& carver, const PlanView& plan, const BatchRun& run, const RowsImage& rows) {
    return {carver, plan, rows, run.watch, run.by_slots};
}

/// Bytes of a run's arena in a batch. plan, order: on the host.
template <class Types>
std::size_t batch_arena_bytes(const PlanView& plan, const BatchRun& run) {
    ArenaCarver measure{nullptr};
    lay_out_run<Types>(measure, plan, run);
    static_cast<void>(recorder_in(measure, plan, run, {}));
    return batch_head_bytes + (measure.used() + 63) / 64 * 64;
}

/// Makes one run and writes its answer. All lanes call it.
template <class Types, class Team>
BURSAR_HD void
serve_run(const Team& team, const BatchRun& run, ImageRecorder& recorder, std::byte* arena) {
    using Pass = typename Types::Pass;
    using Queue = typename Types::Queue;
    using Capacity = typename Types::Capacity;
    const PlanView& plan = *run.plan;
    ArenaCarver answers{run.answer};
    const AnswerImage answer{answers, plan, run.rows};
    auto* memory = reinterpret_cast<RunMemory<Pass, Queue, Capacity>*>(arena);
    team.once([&] {
        ArenaCarver carver{arena};
        lay_out_run<Types>(carver, plan, run);
        recorder = recorder_in(carver, plan, run, answer.rows);
    });
    recorder.clear(team, plan);
    Loop<Pass, Queue, Capacity, Team, ImageRecorder> loop{*memory, team, recorder};
    loop.run();
    team.once([&] { recorder.close(memory->state.now_ms); });
    answer.write(team, plan, memory->state, memory->queue.num_jobs());
}

/// Makes runs of a batch until all are taken. seat: the team's number, and that of its arena.
template <class Types, class Team>
BURSAR_HD void serve_batch(const Team& team, const Batch& batch, std::uint32_t seat) {
    std::byte* arena = batch.arenas + seat * batch.arena_bytes;
    auto& head = *reinterpret_cast<BatchHead*>(arena);
    while (true) {
        team.once([&] { head.in_hand = take_number(*batch.num_taken); });
        const std::uint32_t number = head.in_hand;
        if (number >= batch.num_runs)
            return;
        serve_run<Types>(team, batch.runs[number], head.recorder, arena + batch_head_bytes);
    }
}

}} // namespace bursar::policies
