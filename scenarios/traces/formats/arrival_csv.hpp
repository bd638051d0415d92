#pragma once

#include <array>

#include "scenarios/traces/trace_format.hpp"

/// The four-column CSV of several public reductions of traces; times in s from a zero of its own.
namespace bursar { inline namespace scenarios { namespace arrival_csv {

inline constexpr std::array columns{
    CsvColumn{TraceField::job, "job_id", ColumnNeed::optional, ColumnWrite::always},
    CsvColumn{TraceField::submit, "arrival_s", ColumnNeed::tells},
    CsvColumn{TraceField::duration, "service_sec", ColumnNeed::tells},
    CsvColumn{TraceField::gpus, "gpu_count", ColumnNeed::tells},
};
inline constexpr CsvTable table{.columns = columns, .written = true};
inline constexpr TraceFormat format{.name = "arrival-csv", .csv = &table};

}}} // namespace bursar::scenarios::arrival_csv
