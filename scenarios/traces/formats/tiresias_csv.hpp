#pragma once

#include <array>

#include "scenarios/traces/trace_format.hpp"

/// Job lists of the Tiresias simulator; iterations, model_name, interval and other columns are not
/// read.
namespace bursar { inline namespace scenarios { namespace tiresias_csv {

inline constexpr std::array columns{
    CsvColumn{TraceField::job, "job_id"},
    CsvColumn{TraceField::gpus, "num_gpu", ColumnNeed::tells},
    CsvColumn{TraceField::submit, "submit_time", ColumnNeed::tells},
    CsvColumn{TraceField::duration, "duration", ColumnNeed::tells},
};
inline constexpr CsvTable table{.columns = columns};
inline constexpr TraceFormat format{.name = "tiresias-csv", .csv = &table};

}}} // namespace bursar::scenarios::tiresias_csv
