#include "sim/batch/rows_image.hpp"

#include <algorithm>
#include <cassert>

namespace bursar { inline namespace sim {

JobRows RowsImage::job_rows(std::size_t num_jobs, PlaceWatch watch) const {
    assert(room.is_kept && is_whole());
    JobRows rows;
    rows.phase.assign(columns.phase, columns.phase + num_jobs);
    std::fill(
        rows.phase.begin() + totals->num_submitted, rows.phase.end(), JobPhase::not_submitted);
    rows.pool.assign(columns.pool, columns.pool + num_jobs);
    if (columns.level != nullptr)
        rows.level.assign(columns.level, columns.level + num_jobs);
    rows.start_ms.assign(columns.start_ms, columns.start_ms + num_jobs);
    rows.finish_ms.assign(columns.finish_ms, columns.finish_ms + num_jobs);
    if (totals->num_stopped > 0)
        rows.last_start_ms.assign(columns.last_start_ms, columns.last_start_ms + num_jobs);
    rows.stopped.assign(stopped, stopped + totals->num_stopped);
    std::size_t lengths = num_jobs + 1;
    while (lengths > 0 && ms_at_length[lengths - 1] == 0)
        --lengths;
    rows.queue.ms_at_length.assign(ms_at_length, ms_at_length + lengths);
    rows.queue.gpu_ms = totals->queue_gpu_ms;
    rows.queue.max_gpus = totals->max_queue_gpus;
    if (watch != PlaceWatch::nothing)
        rows.place_wait = totals->place_wait;
    return rows;
}

std::vector<PaidNodes> RowsImage::paid_nodes() const {
    assert(is_whole());
    return {paid, paid + totals->num_paid};
}

}} // namespace bursar::sim
