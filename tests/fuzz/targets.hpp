#pragma once

#include <cstdlib>
#include <string_view>

/// The fuzz targets. Each takes any bytes, and aborts where a reader neither accepts them nor
/// refuses them with its own error, or where what it accepted breaks a promise of its header.
namespace bursar::fuzz {

using FuzzTarget = void(std::string_view input);

inline void require(bool holds) {
    if (!holds)
        std::abort();
}

/// Calls `read`. Any other error than `Error` ends the process.
template <class Error, class Read>
void read_or_refuse(const Read& read) {
    try {
        read();
    } catch (const Error&) { // the expected answer to most inputs
    }
}

/// The text up to the first line end, which is cut off `text` together with it.
inline std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
    return line;
}

// What a scenario is written in: scenario_targets.cpp
FuzzTarget scenario;   ///< a scenario file
FuzzTarget variants;   ///< a value of --vary in each line
FuzzTarget overrides;  ///< a value of --set in each line, applied to a scenario
FuzzTarget conditions; ///< a goal or a condition of --fail-if in each line
FuzzTarget catalogues; ///< any file of scenarios/catalog, recognised by its first key

// Files that scenarios and commands name. file_targets.cpp
FuzzTarget prices;       ///< a line with a format or `any`, then the file
FuzzTarget fabric;       ///< a fabric file
FuzzTarget grid;         ///< a line with a zone, then a file of carbon intensities
FuzzTarget availability; ///< a line with a format or nothing, then the file
FuzzTarget throughputs;  ///< Gavel's throughputs
FuzzTarget measurements; ///< published measurements, compared with the models
FuzzTarget scaling_runs; ///< training runs for a loss surface

// Traces: a line of words (options_of), then the file. trace_targets.cpp
FuzzTarget trace; ///< the first word is the format, or `any`
FuzzTarget kubectl;
FuzzTarget sacct;
FuzzTarget lsf;
FuzzTarget pbs;

// Plan files with the right checksum. plan_targets.cpp
FuzzTarget plan;          ///< bytes
FuzzTarget plan_sections; ///< whole sections

// Saved by the program, with the right hash. result_targets.cpp
FuzzTarget result;
FuzzTarget outputs; ///< a result, and every output of it
FuzzTarget focus;   ///< a result, and its focus.csv
FuzzTarget comparison;
FuzzTarget sweep_rows; ///< cells of sweep.sqlite

} // namespace bursar::fuzz
