#include "scenarios/compile/jobs/trace_notes.hpp"

#include <fmt/format.h>

#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

std::vector<std::string> trace_notes(const Trace& trace) {
    std::string rows = fmt::format("{} rows read as {}, {} not selected",
                                   trace.num_rows_read,
                                   trace.format,
                                   trace.num_not_selected);
    if (trace.num_left_out > 0)
        rows += fmt::format(", {} left out as no jobs that ran", trace.num_left_out);
    std::vector<std::string> notes{rows};
    notes.insert(notes.end(), trace.left_out.begin(), trace.left_out.end());
    notes.insert(notes.end(), trace.notes.begin(), trace.notes.end());
    return notes;
}

}} // namespace bursar::scenarios
