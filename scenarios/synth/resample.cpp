#include "scenarios/synth/resample.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/random/philox.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::uint64_t max_blocks = 1'000'000;

template <class T>
void take_rows(std::vector<T>& column, const std::vector<std::uint32_t>& rows) {
    if (column.empty())
        return;
    std::vector<T> taken;
    taken.reserve(rows.size());
    for (const std::uint32_t row : rows)
        taken.push_back(column[row]);
    column = std::move(taken);
}

void take_names(const Trace& from, const std::vector<std::uint32_t>& rows, Trace& out) {
    if (from.name_end.empty())
        return;
    out.names.clear();
    out.name_end.clear();
    for (const std::uint32_t row : rows) {
        out.names += from.name(row);
        out.name_end.push_back(out.names.size());
    }
}

std::string days_text(Duration length) {
    return fmt::format("{:.6g} d",
                       static_cast<double>(length.count()) / static_cast<double>(day.count()));
}

/// The rows of each block, in their order. After the end of the trace its last block goes on with
/// what the first one has at these times of the day: else a short last block would thin the load.
///
/// Source: Politis and Romano 1992, "A circular block-resampling procedure for stationary data".
std::vector<std::vector<std::uint32_t>>
rows_by_block(const Trace& trace, std::int64_t length_ms, std::int64_t last_ms) {
    std::vector<std::vector<std::uint32_t>> rows(static_cast<std::size_t>(last_ms / length_ms) + 1);
    for (std::size_t row = 0; row < trace.size(); ++row)
        rows[static_cast<std::size_t>(trace.submit_ms[row] / length_ms)].push_back(
            static_cast<std::uint32_t>(row));
    for (const std::uint32_t row : rows.front())
        if (trace.submit_ms[row] > last_ms % length_ms)
            rows.back().push_back(row);
    return rows;
}

/// Refuses a trace of too few or too many blocks. last_ms: when its last job is submitted.
void check_blocks(std::int64_t last_ms, const TraceOptions& options) {
    const auto blocks = static_cast<std::uint64_t>(last_ms / options.resample.count()) + 1;
    const auto refuse = [&](std::string why, std::string remedy) {
        fail_option(options,
                    "resample",
                    mistake(fmt::format("the selected jobs are submitted in {} block{} of {}",
                                        blocks,
                                        blocks == 1 ? "" : "s",
                                        days_text(options.resample)),
                            std::move(why),
                            std::move(remedy)));
    };
    if (blocks < least_blocks)
        refuse(fmt::format("blocks are drawn from at least {}", least_blocks), "shorter blocks");
    if (blocks > max_blocks)
        refuse(fmt::format("at most {} blocks are drawn", max_blocks), "longer blocks");
}

} // namespace

Trace resampled(const Trace& trace, const TraceOptions& options, std::uint64_t seed) {
    if (!trace.needs.empty())
        fail_option(options,
                    "resample",
                    mistake("jobs of the trace wait for others",
                            "the block of a job may be drawn without those",
                            "remove it, or map no column to `after`"));
    const std::int64_t length_ms = options.resample.count();
    const std::int64_t last_ms = trace.size() == 0 ? 0 : *std::ranges::max_element(trace.submit_ms);
    check_blocks(last_ms, options);
    const auto of_block = rows_by_block(trace, length_ms, last_ms);
    const RandomStream random{seed, Stream::trace_blocks};
    std::vector<std::uint32_t> rows;
    std::vector<std::int64_t> submit_ms;
    for (std::size_t block = 0; block < of_block.size(); ++block) {
        const std::int64_t begin_ms = static_cast<std::int64_t>(block) * length_ms;
        for (const std::uint32_t row : of_block[random.below(of_block.size(), block, 0)]) {
            const std::int64_t now_ms = begin_ms + trace.submit_ms[row] % length_ms;
            if (now_ms > last_ms) // as in the trace, the last block is cut
                continue;
            rows.push_back(row);
            submit_ms.push_back(now_ms);
        }
    }
    if (rows.size() > std::numeric_limits<std::uint32_t>::max())
        fail_option(options, "resample", mistake("more jobs are drawn than a run can have"));
    Trace out = trace;
    take_names(trace, rows, out);
    out.submit_ms = std::move(submit_ms);
    take_rows(out.duration_ms, rows);
    take_rows(out.requested_ms, rows);
    take_rows(out.gpus, rows);
    take_rows(out.gpu_milli, rows);
    take_rows(out.cpu_milli, rows);
    take_rows(out.memory_mib, rows);
    take_rows(out.end, rows);
    take_rows(out.tenant, rows);
    take_rows(out.priority, rows);
    take_rows(out.gpu_types, rows);
    take_rows(out.ran_on, rows);
    take_rows(out.job_class, rows);
    take_rows(out.due_after_ms, rows);
    take_rows(out.checkpoint_ms, rows);
    take_rows(out.line, rows);
    out.kinds.reset();
    out.assumed.push_back(
        fmt::format("each seed draws {} blocks of {} from those of the trace, with replacement; "
                    "prices, availability and calendars keep their dates",
                    of_block.size(),
                    days_text(options.resample)));
    return out;
}

}} // namespace bursar::scenarios
