#include "scenarios/trace_formats/write_trace.hpp"

#include <algorithm>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/trace_formats/registry.hpp"
#include "scenarios/traces/trace_format.hpp"

namespace bursar { inline namespace scenarios {
namespace {

bool some_need_several(const Trace& trace) {
    for (std::size_t row = 0; row + 1 < trace.needs.begin.size(); ++row)
        if (trace.needs.of(row).size() > 1)
            return true;
    return false;
}

std::vector<std::string> lost(const Trace& trace, const FormatHolds& holds) {
    std::vector<std::string> out;
    const auto check = [&](bool has, bool kept, const char* what) {
        if (has && !kept)
            out.emplace_back(what);
    };
    const auto shared = [](std::uint16_t milli) { return milli != 1000; };
    const auto restricted = [](std::uint16_t set) { return set != 0; };
    const auto is_positive = [](std::int64_t asked) { return asked > 0; };
    check(trace.zero_utc_ms.has_value(), holds.dates, "dates");
    check(!trace.name_end.empty(), holds.names, "job names");
    check(!trace.tenant.empty(), holds.tenants, "tenants");
    check(!trace.end.empty(), holds.states, "states");
    check(std::ranges::any_of(trace.gpu_milli, shared), holds.gpu_milli, "shares of a GPU");
    check(std::ranges::any_of(trace.gpu_types, restricted), holds.gpu_types, "GPU types");
    check(!trace.ran_on.empty(), holds.ran_on, "GPUs that run times are of");
    check(!trace.cpu_milli.empty() || !trace.memory_mib.empty(),
          holds.cpu_and_memory,
          "CPU and memory");
    check(std::ranges::any_of(trace.requested_ms, is_positive),
          holds.requested_times,
          "requested times");
    check(!trace.priority.empty(), holds.priorities, "priorities");
    check(!trace.job_class.empty(), holds.classes, "classes");
    check(!trace.due_after_ms.empty(), holds.deadlines, "deadlines");
    check(!trace.checkpoint_ms.empty(), holds.checkpoints, "times between saves");
    check(!trace.needs.empty(),
          holds.needs || (holds.one_need && !some_need_several(trace)),
          "jobs that wait for others");
    return out;
}

} // namespace

std::vector<std::string>
write_trace(const Trace& trace, std::string_view format, std::ostream& out) {
    const TraceFormat* known = find_trace_format(format);
    if (known == nullptr)
        fail_input({}, "format", not_a_format(format));
    const TraceFormat& chosen = *known;
    if (chosen.csv != nullptr ? !chosen.csv->written : chosen.write == nullptr)
        fail_input({}, "format", mistake(std::string{format} + " can be read but not written"));
    if (chosen.csv == nullptr) {
        chosen.write(trace, out);
        return lost(trace, chosen.holds);
    }
    write_csv_table(chosen, trace, out);
    return lost(trace, holds_of(*chosen.csv));
}

}} // namespace bursar::scenarios
