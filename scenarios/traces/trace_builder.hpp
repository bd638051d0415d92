#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/errors/alike_findings.hpp"
#include "scenarios/traces/named_needs.hpp"
#include "scenarios/traces/text/name_table.hpp"
#include "scenarios/traces/text/text_row.hpp"
#include "scenarios/traces/text/time_zone.hpp"
#include "scenarios/traces/trace.hpp"
#include "scenarios/traces/trace_format.hpp"

namespace bursar { inline namespace scenarios {

struct TraceOptions;

/// Turns rows of text into a Trace: parses, selects, checks and collects mistakes. Every format
/// uses one.
class TraceBuilder {
  public:
    /// Throws ScenarioError when `options` themselves are wrong (select.from, start, zone, scale).
    explicit TraceBuilder(const TraceOptions& options);

    [[nodiscard]] const TraceOptions& options() const { return options_; }

    /// Call it before the first row. column_names: by field, for messages; each row must have as
    /// many fields. states: must outlive the builder.
    void begin(std::vector<std::string> column_names,
               TimeForm time_form,
               std::span<const StateWord> states = {});

    /// Sets the instant of 0 s, in milliseconds since 1970, if the file gives it.
    void set_zero_utc_ms(std::int64_t zero_utc_ms);

    /// Notes an assumption about the file; shown with every answer.
    void assume(std::string what) { trace_.assumed.push_back(std::move(what)); }

    /// Notes a column of the file and its meaning; empty: it is not read.
    void note_column(std::string name, std::string_view read_as) {
        trace_.columns.push_back({std::move(name), read_as});
    }

    /// Counts a record of no job that ran; each reason is reported at its first place.
    void leave_out(FieldPlace place, Finding why);

    /// Counts a row that cannot be used; path: the column at fault.
    void add_bad(FieldPlace place, std::string path, Finding problem);

    /// Adds one data row. Between calls only the fields of the GPUs may change in `columns`; a row
    /// without `gpu_milli` has whole GPUs.
    void add(const TextRow& row, const TraceColumns& columns);

    /// The trace: zero at its earliest submit, selected and scaled.
    /// Throws ScenarioError with the mistakes found, or when no row is left.
    Trace finish();

  private:
    /// The numbers of one row; absent: malformed.
    struct Job {
        std::optional<std::int64_t> submit, duration, requested, gpus, gpu_milli, cpu_milli,
            memory_mib;
        std::optional<JobEnd> end;
        std::optional<std::int32_t> priority;
        std::optional<std::int64_t> due_after, checkpoint, think; ///< 0: not given
    };
    [[nodiscard]] Job parse(const TextRow& row, const TraceColumns& columns);
    [[nodiscard]] std::optional<std::int64_t> parse_time(std::string_view text);
    [[nodiscard]] std::optional<std::int64_t> parse_deadline(std::string_view text,
                                                             std::optional<std::int64_t> submit);
    void compare_span(const Job& job, const TextRow& row, const TraceColumns& columns);
    [[nodiscard]] std::optional<JobEnd> parse_state(std::string_view text) const;
    void settle_time_form(std::string_view submit);
    void check_time_options();
    [[nodiscard]] static bool usable(const Job& job, const TraceColumns& columns);
    [[nodiscard]] bool selected(const Job& job, const TextRow& row, const TraceColumns& columns);
    void append(const Job& job, const TextRow& row, const TraceColumns& columns);
    std::uint16_t number(NameTable& table, std::size_t field, const TextRow& row) const;
    using TimeProblem = Finding (*)(std::string_view text);
    [[nodiscard]] TimeProblem time_problem() const;
    void reject(const Job& job, const TextRow& row, const TraceColumns& columns);
    bool rejects_times(const Job& job, const TextRow& row, const TraceColumns& columns);
    void reject_malformed(const TextRow& row);
    void note(FieldPlace place, std::string path, Finding problem);
    void note_absent(const TextRow& row, const TraceColumns& columns);
    [[nodiscard]] std::vector<std::uint8_t> resolve_needs();
    void check_needs();
    void throw_mistakes();
    void list_left_out();
    void name_sets();
    void note_idle_options();
    void keep_other_spans(const std::vector<std::uint8_t>& keep);
    void note_other_spans();
    void check_selected_tenants();
    [[noreturn]] void fail_empty() const;

    const TraceOptions& options_;
    TimeZone zone_;
    std::optional<std::int64_t> start_utc_ms_, from_utc_ms_, to_utc_ms_;
    bool selects_{};

    std::vector<std::string> column_names_;
    TimeForm time_form_{TimeForm::seconds};
    std::span<const StateWord> states_;
    std::optional<std::int64_t> file_zero_utc_ms_;
    bool dated_{};           // submit times are instants since 1970
    std::int64_t base_ms_{}; // added to times in seconds

    Trace trace_;
    NameTable tenants_;
    NameTable gpu_types_;    // texts of the column; 0 is ""
    NameTable ran_on_;       // the same
    NameTable classes_;      // the same
    NameTable seen_tenants_; // of all rows, where `select` names some
    /// A job whose run time is not its end minus its start.
    struct OtherSpan {
        std::size_t row{};
        std::uint64_t line{};
    };
    std::vector<OtherSpan> other_spans_;
    TraceColumns span_columns_;
    NamedNeeds needs_;
    std::size_t needs_field_{};      // where the file has needed names
    std::uint64_t num_not_needed_{}; // needed jobs that were left out
    AlikeFindings mistakes_;
    AlikeFindings left_out_;
};

}} // namespace bursar::scenarios
