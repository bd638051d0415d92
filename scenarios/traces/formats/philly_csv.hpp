#pragma once

#include <array>

#include "scenarios/traces/trace_format.hpp"

/// Microsoft Philly as Pollux and Sia use it. No states; gpu_time is duration times num_gpus.
namespace bursar { inline namespace scenarios { namespace philly_csv {

inline constexpr std::array columns{
    CsvColumn{TraceField::job, "job_id"},
    CsvColumn{TraceField::submit, "timestamp", ColumnNeed::tells},
    CsvColumn{TraceField::duration, "duration", ColumnNeed::tells},
    CsvColumn{TraceField::gpus, "num_gpus", ColumnNeed::tells},
    CsvColumn{TraceField::gpu_time, "gpu_time", ColumnNeed::optional, ColumnWrite::always},
    CsvColumn{TraceField::tenant, "cluster", ColumnNeed::optional, ColumnWrite::always},
};
inline constexpr CsvTable table{.columns = columns, .times = TimeForm::stamp, .written = true};
inline constexpr TraceFormat format{.name = "philly-csv", .csv = &table};

}}} // namespace bursar::scenarios::philly_csv
