#pragma once

#include <array>

#include "scenarios/trace_formats/state_words.hpp"
#include "scenarios/traces/trace_format.hpp"

namespace bursar { inline namespace scenarios {

/// Any CSV, by bursar's names for columns; TraceOptions::columns maps them to other names of the
/// file. Written with the columns that the trace has; dates end in Z.
namespace generic_csv {

inline constexpr std::array columns{
    CsvColumn{TraceField::job, "job"},
    CsvColumn{TraceField::submit, "submit", ColumnNeed::identifies},
    CsvColumn{TraceField::duration, "duration", ColumnNeed::identifies},
    CsvColumn{TraceField::start, "start", ColumnNeed::optional, ColumnWrite::never},
    CsvColumn{TraceField::finish, "finish", ColumnNeed::optional, ColumnWrite::never},
    CsvColumn{TraceField::gpus, "gpus", ColumnNeed::identifies},
    CsvColumn{TraceField::tenant, "tenant"},
    CsvColumn{TraceField::state, "state"},
    CsvColumn{TraceField::gpu_milli, "gpu_milli"},
    CsvColumn{TraceField::gpu_type, "gpu_type"},
    CsvColumn{TraceField::ran_on, "ran_on"},
    CsvColumn{TraceField::cpu_milli, "cpu_milli"},
    CsvColumn{TraceField::memory_mib, "memory_mib"},
    CsvColumn{TraceField::requested_time, "requested_time"},
    CsvColumn{TraceField::priority, "priority"},
    CsvColumn{TraceField::job_class, "class"},
    CsvColumn{TraceField::deadline, "deadline"},
    CsvColumn{TraceField::checkpoint, "checkpoint"},
    CsvColumn{TraceField::after, "after"},
    CsvColumn{TraceField::think_time, "think_time"},
};
inline constexpr CsvTable table{
    .columns = columns, .times = TimeForm::either, .states = state_words, .written = true};
inline constexpr TraceFormat format{.name = "csv", .csv = &table};

} // namespace generic_csv

/// Microsoft Philly as Pollux and Sia use it. No states; gpu_time is duration times num_gpus.
namespace philly_csv {

inline constexpr std::array columns{
    CsvColumn{TraceField::job, "job_id"},
    CsvColumn{TraceField::submit, "timestamp", ColumnNeed::identifies},
    CsvColumn{TraceField::duration, "duration", ColumnNeed::identifies},
    CsvColumn{TraceField::gpus, "num_gpus", ColumnNeed::identifies},
    CsvColumn{TraceField::gpu_time, "gpu_time", ColumnNeed::optional, ColumnWrite::always},
    CsvColumn{TraceField::tenant, "cluster", ColumnNeed::optional, ColumnWrite::always},
};
inline constexpr CsvTable table{.columns = columns, .times = TimeForm::stamp, .written = true};
inline constexpr TraceFormat format{.name = "philly-csv", .csv = &table};

} // namespace philly_csv

/// The cluster_log of SenseTime Helios. Columns are found by name, so that the original's 12
/// columns and the 7 of its simulator are both read. Jobs with gpu_num 0 use CPUs only.
namespace helios_csv {

inline constexpr std::array columns{
    CsvColumn{.field = TraceField::job, .name = "job_id", .other_names = {"jobname", "user"}},
    CsvColumn{TraceField::tenant, "vc", ColumnNeed::identifies, ColumnWrite::always},
    CsvColumn{TraceField::gpus, "gpu_num", ColumnNeed::identifies},
    CsvColumn{TraceField::state, "state", ColumnNeed::identifies, ColumnWrite::always},
    CsvColumn{TraceField::submit, "submit_time", ColumnNeed::identifies},
    CsvColumn{TraceField::duration, "duration", ColumnNeed::identifies},
};
inline constexpr CsvTable table{
    .columns = columns,
    .times = TimeForm::stamp,
    .states = state_words,
    .state_names = {"COMPLETED", "FAILED", "CANCELLED", "NODE_FAIL", "CANCELLED"},
    .written = true};
inline constexpr TraceFormat format{.name = "helios-csv", .csv = &table};

} // namespace helios_csv

/// The four-column CSV of several public reductions of traces; times in s from the trace's zero.
namespace arrival_csv {

inline constexpr std::array columns{
    CsvColumn{TraceField::job, "job_id", ColumnNeed::optional, ColumnWrite::always},
    CsvColumn{TraceField::submit, "arrival_s", ColumnNeed::identifies},
    CsvColumn{TraceField::duration, "service_sec", ColumnNeed::identifies},
    CsvColumn{TraceField::gpus, "gpu_count", ColumnNeed::identifies},
};
inline constexpr CsvTable table{.columns = columns, .written = true};
inline constexpr TraceFormat format{.name = "arrival-csv", .csv = &table};

} // namespace arrival_csv

/// Pods of Alibaba's openb cluster (cluster-trace-gpu-v2023). A pod without GPUs requests CPU and
/// memory only. pod_phase is a snapshot, not an end state, and is not read. The multigpuXX lists
/// have no times and are refused.
namespace openb_csv {

inline constexpr std::string_view no_times =
    "the multigpu lists have no times: use one of the other lists";

inline constexpr std::array columns{
    CsvColumn{TraceField::job, "name"},
    CsvColumn{TraceField::cpu_milli, "cpu_milli"},
    CsvColumn{TraceField::memory_mib, "memory_mib"},
    CsvColumn{TraceField::gpus, "num_gpu", ColumnNeed::identifies},
    CsvColumn{TraceField::gpu_milli, "gpu_milli", ColumnNeed::identifies},
    CsvColumn{TraceField::gpu_type, "gpu_spec"},
    CsvColumn{.field = TraceField::submit,
              .name = "creation_time",
              .need = ColumnNeed::required,
              .hint = no_times},
    CsvColumn{.field = TraceField::finish,
              .name = "deletion_time",
              .need = ColumnNeed::required,
              .hint = no_times},
};
inline constexpr CsvTable table{.columns = columns};
inline constexpr TraceFormat format{.name = "openb-csv", .csv = &table};

} // namespace openb_csv

/// Job lists of the Tiresias simulator, and of ElasticFlow with deadlines; iterations, model_name,
/// interval and other columns are not read.
namespace tiresias_csv {

inline constexpr std::array columns{
    CsvColumn{TraceField::job, "job_id"},
    CsvColumn{TraceField::gpus, "num_gpu", ColumnNeed::identifies},
    CsvColumn{TraceField::submit, "submit_time", ColumnNeed::identifies},
    CsvColumn{TraceField::duration, "duration", ColumnNeed::identifies},
    CsvColumn{TraceField::deadline, "ddl"},
};
inline constexpr CsvTable table{.columns = columns};
inline constexpr TraceFormat format{.name = "tiresias-csv", .csv = &table};

} // namespace tiresias_csv

}} // namespace bursar::scenarios
