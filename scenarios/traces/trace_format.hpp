#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/plan/plan.hpp"

/// Trace formats, and those of them that are tables of columns: recognised, read and written.
namespace bursar { inline namespace scenarios {

/// The position of each value in a row. Absent: not in the file.
struct TraceColumns {
    std::size_t submit{};
    std::optional<std::size_t> duration; ///< run time; absent: finish minus start, or submit
    std::optional<std::size_t> start{};  ///< same form as submit; with `duration` only compared
    std::optional<std::size_t> finish;   ///< same form as submit; with `duration` only compared
    std::size_t gpus{};
    std::optional<std::size_t> gpu_milli;
    std::optional<std::size_t> cpu_milli{};  ///< thousandths of a core, of the whole job
    std::optional<std::size_t> memory_mib{}; ///< main memory, of the whole job
    std::optional<std::size_t> gpu_types;    ///< names with bars between; empty: any
    std::optional<std::size_t> ran_on{};     ///< GPU that the run time was measured on
    std::optional<std::size_t> tenant;
    std::optional<std::size_t> name;
    std::optional<std::size_t> state;
    std::optional<std::size_t> requested{}; ///< requested run time; empty or negative: not given
    std::optional<std::size_t> priority{};  ///< a whole number, higher is more important
    std::optional<std::size_t> job_class{};
    std::optional<std::size_t> deadline{};   ///< same form as submit; empty or negative: none
    std::optional<std::size_t> checkpoint{}; ///< time between saves; empty or negative: not given
    std::optional<std::size_t> after{};      ///< names of jobs with bars between; empty: none
    std::optional<std::size_t> think{};      ///< time after their ends; empty or negative: none
};

/// How submit and finish times are written.
enum class TimeForm : std::uint8_t {
    seconds,  ///< a decimal number of seconds since the trace's own zero
    stamp,    ///< a date and time
    epoch,    ///< a decimal number of seconds since 1970-01-01T00:00Z
    epoch_ms, ///< a decimal number of milliseconds since then
    either    ///< decided by the first row for the whole file
};

/// A word of a trace's state column and its meaning.
struct StateWord {
    std::string_view word;
    JobEnd end{};
};

class ByteSource;
class TraceBuilder;
struct Trace;

/// The meaning of a column of a delimiter-separated trace.
enum class TraceField : std::uint8_t {
    job, ///< its name
    submit,
    duration, ///< run time, s
    start,    ///< same form as submit; read where there is no duration
    finish,   ///< the same
    gpus,
    gpu_milli,  ///< thousandths of each GPU, 1..1000
    gpu_type,   ///< names with bars between, "V100|T4"; empty: any
    ran_on,     ///< GPU that its run time was measured on; empty: the file does not say
    cpu_milli,  ///< thousandths of a core, of the whole job
    memory_mib, ///< main memory, of the whole job
    tenant,
    state,
    requested_time, ///< requested run time, s; empty or negative: not given
    priority,       ///< a whole number, higher is more important
    job_class,      ///< for `match` of a class of the scenario
    deadline,       ///< same form as submit; empty or negative: none
    checkpoint,     ///< time at work between two saves, s; empty or negative: not given
    after,          ///< names of jobs that must end before it, with bars between; empty: none
    think_time,     ///< from the last of these ends until it is eligible, s; empty or negative: 0
    gpu_time        ///< duration times GPUs, s; written, never read
};

/// Whether a file must have the column.
enum class ColumnNeed : std::uint8_t {
    identifies, ///< required, and the format is recognised by it
    required,   ///< a file without it is refused
    optional    ///< it may be missing
};

/// When a written file has the column.
enum class ColumnWrite : std::uint8_t {
    never,
    always, ///< a trace without it gets the row number, "all" or "completed"
    if_any  ///< if the trace has it
};

/// One column of a delimiter-separated format.
struct CsvColumn {
    TraceField field{};
    std::string_view name; ///< in the header line
    ColumnNeed need{ColumnNeed::optional};
    ColumnWrite write{ColumnWrite::if_any};
    /// Other names of it, tried in this order after `name`.
    std::array<std::string_view, 2> other_names{};
    /// Suggestion of the message about a file without it.
    std::string_view hint{};
};

/// A delimiter-separated format: text with a header line, read and written by its columns.
struct CsvTable {
    std::span<const CsvColumn> columns; ///< as they are written; a file may have them in any order
    TimeForm times{TimeForm::seconds};
    std::span<const StateWord> states{}; ///< words that the state column may hold
    /// The words to write, by JobEnd.
    std::array<std::string_view, 5> state_names{
        "completed", "failed", "cancelled", "node_failed", "stopped"};
    char delimiter{','}; ///< `,` `;` `|` or a tab
    bool written{};      ///< false: it is only read
};

/// Which parts of a Trace, beside submit, duration and GPUs, a format can hold.
struct FormatHolds {
    bool dates{};
    bool names{};
    bool tenants{};
    bool states{};
    bool gpu_milli{};
    bool gpu_types{};
    bool ran_on{};
    bool cpu_and_memory{};
    bool requested_times{};
    bool priorities{};
    bool classes{};
    bool deadlines{};
    bool checkpoints{};
    bool needs{};
    bool one_need{}; ///< a job waits for one other at most
};

/// A trace format: a table of columns, or functions that read and write it.
struct TraceFormat {
    std::string_view name;
    const CsvTable* csv{}; ///< nullptr: the functions below read and write it

    /// Feeds the whole file to the builder.
    void (*read)(ByteSource& bytes, TraceBuilder& trace){};
    /// Writes a trace; nullptr: this format is only read.
    void (*write)(const Trace& trace, std::ostream& out){};
    /// Whether a file begins like this. beginning: its first 64 KiB.
    bool (*begins_like)(std::string_view beginning){};
    FormatHolds holds{}; ///< of what `write` writes
};

struct TraceOptions;

/// The columns that identify the format, in its order, with its delimiter between.
std::string identifying_columns(const CsvTable& table);

/// The delimiter of a file with this beginning: the table's, or the one of `,` `;` `|` and tab that
/// splits its header into the required columns.
char delimiter_in(std::string_view beginning, const CsvTable& table, const TraceOptions& options);

/// Feeds the whole file to the builder; TraceOptions::columns may rename its columns. Throws
/// ScenarioError for a column that is missing.
void read_csv_table(const CsvTable& table, ByteSource& bytes, TraceBuilder& trace);

/// Writes `trace` as `format`, which is a table that can be written. Throws ScenarioError for a
/// trace without dates if the format has no other times.
void write_csv_table(const TraceFormat& format, const Trace& trace, std::ostream& out);

/// The parts of a trace that the table has columns for.
FormatHolds holds_of(const CsvTable& table);

}} // namespace bursar::scenarios
