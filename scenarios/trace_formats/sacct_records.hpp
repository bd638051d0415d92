#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/traces/record_row.hpp"
#include "scenarios/traces/text/text_row.hpp"

namespace bursar { inline namespace scenarios {

class TraceBuilder;

/// The fields of a line of sacct.
struct SacctFields {
    std::size_t job{};
    std::size_t submit{};
    std::size_t elapsed{};
    bool elapsed_is_raw{}; ///< seconds, not hours:minutes:seconds
    std::size_t state{};
    std::size_t tres{};
    std::optional<std::size_t> start, end, tenant, limit;
    bool limit_is_raw{}; ///< minutes
};

/// Makes jobs of the lines of sacct: one of all consecutive lines of a job.
class SacctRecords {
  public:
    /// names: of the columns, by field. `trace` must outlive this.
    SacctRecords(SacctFields fields, std::vector<std::string> names, TraceBuilder& trace);

    void take(const TextRow& line);
    /// After the last line.
    void finish();

  private:
    /// One run of a job. At most one of `left_out` and `problem` is set.
    struct Run {
        RecordRow row;
        std::uint64_t line{};
        std::optional<Finding> left_out;
        std::optional<Finding> problem; ///< its path is a column
        FieldPlace problem_place;
    };

    [[nodiscard]] Run read(const TextRow& line);
    [[nodiscard]] std::optional<Finding> why_left_out(const TextRow& line) const;
    void read_times(const TextRow& line, Run& run) const;
    void read_resources(const TextRow& line, Run& run);
    void note_problem(Run& run, const TextRow& line, std::size_t field, Finding problem) const;
    void begin(std::string_view submit);
    void flush();
    void add(Run& run, const std::string& first_submit, bool is_read);

    SacctFields fields_;
    std::vector<std::string> names_;
    TraceBuilder& trace_;
    bool begun_{};
    bool has_parts_{}; // "123+0": of a heterogeneous job
    std::string job_;  // of the runs held
    std::vector<Run> runs_;
    std::unordered_set<std::string> read_; // by id and submit, runs of jobs that are in the trace
    std::set<std::string> gpu_types_;
};

}} // namespace bursar::scenarios
