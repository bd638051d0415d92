#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "models/units/units.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/trace_formats/read_trace.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/trace.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar::test {

/// The trace in `text`, which messages call "t".
inline Trace read_text(std::string_view text, TraceOptions options = {}) {
    options.file = "t";
    return read_trace(std::make_unique<MemorySource>(text), options);
}

/// The message about `text`; empty if it is valid.
inline std::string complaint(std::string_view text, const TraceOptions& options = {}) {
    try {
        read_text(text, options);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

inline TraceOptions options_for(const std::string& file) {
    TraceOptions options;
    options.file = file;
    return options;
}

/// Exact GPU time of a trace, in thousandths of a GPU times milliseconds.
inline SlotTime gpu_time(const Trace& trace) {
    SlotTime sum;
    for (std::size_t row = 0; row < trace.size(); ++row) {
        const std::int64_t milli = trace.gpu_milli.empty() ? 1000 : trace.gpu_milli[row];
        sum += slot_time(trace.gpus[row] * milli, Duration{trace.duration_ms[row]});
    }
    return sum;
}

/// `gpu_seconds` whole GPUs times seconds.
constexpr SlotTime gpu_seconds(std::int64_t n) {
    return slot_time(1000 * n, second);
}

} // namespace bursar::test
