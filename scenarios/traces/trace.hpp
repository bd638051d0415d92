#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/traces/row_needs.hpp"

namespace bursar { inline namespace scenarios {

struct Trace;

/// Groups the rows of a workload that differ only in times, tenants, ends, names, classes and
/// priorities. Most traces have a few dozen kinds.
class RowKinds {
  public:
    explicit RowKinds(const Trace& trace);

    /// By row; kinds are numbered from 0 in the order of their first rows.
    [[nodiscard]] const std::vector<std::uint32_t>& of_rows() const { return of_rows_; }

    struct Kind {
        std::uint32_t first_row{};
        std::uint32_t num_rows{};
    };
    [[nodiscard]] const std::vector<Kind>& kinds() const { return kinds_; }

    /// Whether the rows are in the order of their submit times.
    [[nodiscard]] bool is_sorted() const { return is_sorted_; }
    /// The longest of all rows; 0 where there are none.
    [[nodiscard]] std::int64_t max_duration_ms() const { return max_duration_ms_; }

  private:
    std::vector<std::uint32_t> of_rows_;
    std::vector<Kind> kinds_;
    bool is_sorted_{};
    std::int64_t max_duration_ms_{};
};

/// A column, or key, of a trace file, and its meaning.
struct ReadColumn {
    std::string name;
    std::string_view read_as; ///< "submit", "gpus"; empty: not read
};

/// A workload as a trace file gave it: columns of equal length, rows in file order.
struct Trace {
    std::vector<std::int64_t> submit_ms;   ///< since the earliest submit; >= 0
    std::vector<std::int64_t> duration_ms; ///< run time, without time in the queue; >= 0
    std::vector<std::int64_t>
        requested_ms;                ///< requested run time; 0: not in this row; empty: in no row
    std::vector<std::uint32_t> gpus; ///< whole GPUs; 0 only where the row asks for CPU or memory
    std::vector<std::uint16_t> gpu_milli;  ///< per GPU, 1..1000; empty: all 1000
    std::vector<std::uint32_t> cpu_milli;  ///< thousandths of a core, of the job; empty: all 0
    std::vector<std::uint32_t> memory_mib; ///< main memory, of the job; empty: all 0
    std::vector<JobEnd> end;               ///< empty: the trace has no states, all completed
    std::vector<std::uint16_t> tenant;     ///< index into tenants; empty: one tenant
    std::vector<std::int32_t> priority;    ///< higher is more important; empty: the file has none
    std::vector<std::uint16_t> gpu_types;  ///< index into gpu_type_sets; empty: any GPU
    std::vector<std::uint16_t> ran_on;     ///< index into ran_on_gpus; empty: the file does not say
    std::vector<std::uint16_t> job_class;  ///< index into classes; empty: the file has none
    std::vector<std::int64_t>
        due_after_ms; ///< deadline minus submit, > 0; 0: none; empty: in no row
    std::vector<std::int64_t> checkpoint_ms; ///< at work between two saves; 0: as its class says;
                                             ///< empty: in no row
    RowNeeds needs;                          ///< rows that must end before others are eligible
    std::vector<std::int64_t> think_ms; ///< from the last of these ends until then; empty: all 0
    std::vector<std::int64_t> spared_gpu_ms; ///< as in Labels; empty: all 0
    std::vector<std::size_t> entry_end;      ///< of a list: the rows up to the end of each entry
    std::vector<std::uint64_t> line;         ///< 1-based line in the file, for messages

    std::vector<std::string> tenants;     ///< at least one; "all" where the trace names none
    std::vector<std::string> ran_on_gpus; ///< [0] is "": the row does not say
    std::vector<std::string> classes;     ///< [0] is "": the row does not say
    std::vector<std::vector<std::string>> gpu_type_sets; ///< [0] is the empty list: any type

    /// Job names one after the other; job j is [name_end[j-1], name_end[j]). Both empty: unnamed.
    std::string names;
    std::vector<std::uint64_t> name_end;

    /// Instant of submit_ms = 0, in milliseconds since 1970-01-01T00:00Z; absent for relative
    /// traces.
    std::optional<std::int64_t> zero_utc_ms;

    std::uint64_t num_rows_read{};     ///< data rows in the file
    std::uint64_t num_not_selected{};  ///< rows that `select` left out
    std::uint64_t num_cut_off{};       ///< those that only `select.from` left out, and that would
                                       ///< still run at that instant if no job waited
    std::uint64_t num_bad_rows{};      ///< rows skipped under `on_bad_row: skip`
    std::vector<std::string> bad_rows; ///< those of the first 20 causes, each at its first row:
                                       ///< "file:line:column: column: problem"
    std::uint64_t num_left_out{};      ///< records of no job that ran: steps, jobs that never
                                       ///< started, jobs that have not ended
    std::vector<std::string> left_out; ///< reasons, each at its first record, as bad_rows
    std::vector<ReadColumn> columns;   ///< of the file, in its order
    std::vector<std::string> notes;    ///< options that had no effect: "zone: has no effect (...)"
    std::vector<std::string> assumed;  ///< assumptions about what the file does not say
    std::string format;                ///< the format it was read as

    /// Kinds of its rows; null: each compilation computes them.
    std::shared_ptr<const RowKinds> kinds;

    [[nodiscard]] std::size_t size() const { return submit_ms.size(); }
    [[nodiscard]] std::string_view name(std::size_t row) const {
        const std::uint64_t begin = row == 0 ? 0 : name_end[row - 1];
        return std::string_view{names}.substr(begin, name_end[row] - begin);
    }
};

}} // namespace bursar::scenarios
