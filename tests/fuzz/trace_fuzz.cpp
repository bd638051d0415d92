#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/traces/bytes/memory_source.hpp"
#include "scenarios/traces/read_trace.hpp"
#include "scenarios/traces/registry.hpp"
#include "scenarios/traces/trace_summary.hpp"
#include "scenarios/traces/write_trace.hpp"

/// Any bytes are a trace or a ScenarioError, nothing else; and what csv writes of a trace, csv
/// reads back. The first byte chooses the format (past the last: recognised), the second how bad
/// rows are taken; the rest is the file, packed or not.
namespace bursar {
namespace {

TraceOptions options_of(std::uint8_t format, std::uint8_t flags) {
    TraceOptions options;
    options.file = "fuzz";
    const std::span<const TraceFormat> formats = trace_formats();
    const std::size_t choice = format % (formats.size() + 1);
    if (choice < formats.size())
        options.format = formats[choice].name;
    options.on_bad_row = (flags & 1) != 0 ? OnBadRow::skip : OnBadRow::error;
    if ((flags & 2) != 0)
        options.select.gpus = CountRange{1, 64};
    if ((flags & 4) != 0)
        options.select.first = 3;
    if ((flags & 8) != 0)
        options.scale = {.time = 0.5, .load = 3, .gpus = 1.5};
    return options;
}

void require(bool holds) {
    if (!holds)
        std::abort();
}

void check(const Trace& trace) {
    require(trace.size() > 0);
    const TraceSummary summary = summarise(trace);
    require(summary.jobs == trace.size() && summary.span.count() >= 0);
    std::ostringstream out;
    try {
        write_trace(trace, "csv", out);
    } catch (const ScenarioError&) {
        return; // dates past the year 9999
    }
    const std::string text = out.str();
    TraceOptions options;
    options.file = "again";
    options.format = "csv";
    const Trace back = read_trace(std::make_unique<MemorySource>(text), options);
    require(back.submit_ms == trace.submit_ms && back.duration_ms == trace.duration_ms);
    require(back.gpus == trace.gpus && back.end == trace.end && back.names == trace.names);
    require(back.tenant == trace.tenant && back.zero_utc_ms == trace.zero_utc_ms);
}

} // namespace
} // namespace bursar

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace bursar;
    if (size < 2)
        return 0;
    const std::string_view file{reinterpret_cast<const char*>(data) + 2, size - 2};
    Trace trace;
    try {
        trace = read_trace(std::make_unique<MemorySource>(file), options_of(data[0], data[1]));
    } catch (const ScenarioError&) {
        return 0; // the expected answer to most inputs
    }
    check(trace);
    return 0;
}
