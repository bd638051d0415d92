#pragma once

#include <array>

#include "scenarios/traces/formats/state_words.hpp"
#include "scenarios/traces/trace_format.hpp"

/// Any CSV, by bursar's own names for columns; TraceOptions::columns maps them to the file's where
/// those are called otherwise. Written with the columns that the trace has; dates end in Z.
namespace bursar { inline namespace scenarios { namespace generic_csv {

inline constexpr std::array columns{
    CsvColumn{TraceField::job, "job"},
    CsvColumn{TraceField::submit, "submit", ColumnNeed::tells},
    CsvColumn{TraceField::duration, "duration", ColumnNeed::tells},
    CsvColumn{TraceField::start, "start", ColumnNeed::optional, ColumnWrite::never},
    CsvColumn{TraceField::finish, "finish", ColumnNeed::optional, ColumnWrite::never},
    CsvColumn{TraceField::gpus, "gpus", ColumnNeed::tells},
    CsvColumn{TraceField::tenant, "tenant"},
    CsvColumn{TraceField::state, "state"},
    CsvColumn{TraceField::gpu_milli, "gpu_milli"},
    CsvColumn{TraceField::gpu_type, "gpu_type"},
    CsvColumn{TraceField::ran_on, "ran_on"},
    CsvColumn{TraceField::cpu_milli, "cpu_milli"},
    CsvColumn{TraceField::memory_mib, "memory_mib"},
    CsvColumn{TraceField::requested_time, "requested_time"},
    CsvColumn{TraceField::priority, "priority"},
};
inline constexpr CsvTable table{
    .columns = columns, .times = TimeForm::either, .states = state_words, .written = true};
inline constexpr TraceFormat format{.name = "csv", .csv = &table};

}}} // namespace bursar::scenarios::generic_csv
