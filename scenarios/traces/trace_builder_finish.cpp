#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/traces/trace.hpp"
#include "scenarios/traces/trace_builder.hpp"
#include "scenarios/traces/trace_options.hpp"

/// The last steps of a builder: report mistakes, name, select, scale.
namespace bursar { inline namespace scenarios {
namespace {

template <class T>
void keep_in(std::vector<T>& column, const std::vector<std::uint8_t>& keep) {
    if (column.empty())
        return;
    std::size_t kept = 0;
    for (std::size_t row = 0; row < keep.size(); ++row)
        if (keep[row] != 0)
            column[kept++] = column[row];
    column.resize(kept);
}

void keep_names(Trace& trace, const std::vector<std::uint8_t>& keep) {
    if (trace.name_end.empty())
        return;
    std::string names;
    std::vector<std::uint64_t> ends;
    for (std::size_t row = 0; row < keep.size(); ++row) {
        if (keep[row] == 0)
            continue;
        names += trace.name(row);
        ends.push_back(names.size());
    }
    trace.names = std::move(names);
    trace.name_end = std::move(ends);
}

/// Renumbers `column` so that `names` holds only used names, in the order of first use. The first
/// `num_fixed` names stay in front.
template <class Name>
void drop_unused(std::vector<std::uint16_t>& column,
                 std::vector<Name>& names,
                 std::size_t num_fixed) {
    if (column.empty())
        return;
    std::vector<std::optional<std::uint16_t>> renumbered(names.size());
    std::vector<Name> used;
    const auto use = [&](std::size_t number) {
        if (!renumbered[number]) {
            renumbered[number] = static_cast<std::uint16_t>(used.size());
            used.push_back(std::move(names[number]));
        }
        return *renumbered[number];
    };
    for (std::size_t number = 0; number < num_fixed; ++number)
        use(number);
    for (std::uint16_t& number : column)
        number = use(number);
    names = std::move(used);
}

/// `value` times `factor` to the nearest whole number, ties away from zero; absent above `max`.
template <class T>
std::optional<T> scaled(T value, double factor, double max) {
    const double product = std::round(static_cast<double>(value) * factor);
    if (!(product <= max))
        return std::nullopt;
    return static_cast<T>(product);
}

void scale_times(std::vector<std::int64_t>& times,
                 double factor,
                 const TraceOptions& options,
                 const char* path) {
    constexpr double max = 999'999'999'999'999; // the largest time that is read
    for (std::int64_t& time : times) {
        const auto result = scaled(time, factor, max);
        if (!result)
            fail_option(options, path, mistake("scales times beyond 1e12 s"));
        time = *result;
    }
}

/// Drops the rows whose `keep` is 0, and tenants and GPU type sets without rows, as if the dropped
/// rows were not in the file. keep: one per row. Returns how often rows that are kept needed
/// others.
std::uint64_t keep_rows(Trace& trace, const std::vector<std::uint8_t>& keep) {
    keep_names(trace, keep);
    keep_in(trace.submit_ms, keep);
    keep_in(trace.duration_ms, keep);
    keep_in(trace.requested_ms, keep);
    keep_in(trace.gpus, keep);
    keep_in(trace.gpu_milli, keep);
    keep_in(trace.cpu_milli, keep);
    keep_in(trace.memory_mib, keep);
    keep_in(trace.end, keep);
    keep_in(trace.tenant, keep);
    keep_in(trace.priority, keep);
    keep_in(trace.gpu_types, keep);
    keep_in(trace.ran_on, keep);
    keep_in(trace.job_class, keep);
    keep_in(trace.due_after_ms, keep);
    keep_in(trace.checkpoint_ms, keep);
    keep_in(trace.think_ms, keep);
    keep_in(trace.line, keep);
    drop_unused(trace.tenant, trace.tenants, 0);
    drop_unused(trace.gpu_types, trace.gpu_type_sets, 1); // 0 is any type
    drop_unused(trace.ran_on, trace.ran_on_gpus, 1);      // 0: not stated
    drop_unused(trace.job_class, trace.classes, 1);       // the same
    return trace.needs.keep_rows(keep);
}

/// Keeps the first `n` rows by submit time, ties in file order; the rest count as not selected.
/// Returns by row whether it is kept; empty: all are. num_not_needed: raised as by keep_rows.
std::vector<std::uint8_t> keep_first(Trace& trace, std::int64_t n, std::uint64_t& num_not_needed) {
    const std::size_t wanted = static_cast<std::size_t>(n);
    if (wanted >= trace.size())
        return {};
    std::vector<std::size_t> order(trace.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto earlier = [&](std::size_t a, std::size_t b) {
        return std::pair{trace.submit_ms[a], a} < std::pair{trace.submit_ms[b], b};
    };
    std::nth_element(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(wanted), order.end(), earlier);
    std::vector<std::uint8_t> keep(trace.size());
    for (std::size_t i = 0; i < wanted; ++i)
        keep[order[i]] = 1;
    trace.num_not_selected += trace.size() - wanted;
    num_not_needed += keep_rows(trace, keep);
    return keep;
}

/// Moves the trace's zero to its earliest submit and returns the distance; zero_utc_ms stays.
std::int64_t move_zero_to_first_submit(Trace& trace) {
    const std::int64_t first = *std::min_element(trace.submit_ms.begin(), trace.submit_ms.end());
    if (first != 0)
        for (std::int64_t& submit : trace.submit_ms)
            submit -= first;
    return first;
}

/// Applies `scale` of the options in the order time, load, gpus, rounding each product to the
/// nearest millisecond or GPU. CPU and memory are scaled as gangs are. The zero must be the
/// earliest submit. Throws ScenarioError for a factor that is not a finite number > 0, and for a
/// result outside the range of traces (1e12 s, 2^32-1 GPUs).
void scale_trace(Trace& trace, const TraceOptions& options) {
    const TraceScale& scale = options.scale;
    const auto check = [&](double factor, const char* path) {
        if (!(factor > 0) || !std::isfinite(factor))
            fail_option(
                options, path, mistake(fmt::format("{} is not a finite number > 0", factor)));
    };
    check(scale.time, "scale.time");
    check(scale.load, "scale.load");
    check(scale.gpus, "scale.gpus");
    if (scale.time != 1.0) {
        scale_times(trace.submit_ms, scale.time, options, "scale.time");
        scale_times(trace.duration_ms, scale.time, options, "scale.time");
        scale_times(trace.think_ms, scale.time, options, "scale.time");
        for (auto* const times : {&trace.requested_ms, &trace.due_after_ms, &trace.checkpoint_ms}) {
            const std::vector<std::int64_t> before = *times;
            scale_times(*times, scale.time, options, "scale.time");
            for (std::size_t row = 0; row < times->size(); ++row)
                if (before[row] > 0) // 0 is none
                    (*times)[row] = std::max<std::int64_t>((*times)[row], 1);
        }
    }
    if (scale.load != 1.0)
        scale_times(trace.submit_ms, 1 / scale.load, options, "scale.load");
    if (scale.gpus == 1.0)
        return;
    constexpr double max = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t& gpus : trace.gpus) {
        const auto result = scaled(gpus, scale.gpus, max);
        if (!result)
            fail_option(options, "scale.gpus", mistake("scales a gang beyond 4294967295 GPUs"));
        gpus = std::max<std::uint32_t>(gpus == 0 ? 0 : 1, *result);
    }
    for (auto* column : {&trace.cpu_milli, &trace.memory_mib}) { // a larger gang needs more of all
        for (std::uint32_t& amount : *column) {
            const auto result = scaled(amount, scale.gpus, max);
            if (!result)
                fail_option(options,
                            "scale.gpus",
                            mistake("scales a job beyond 4294967295 millicores or MiB"));
            amount = *result;
        }
    }
}

/// A relative time this large is probably an instant: it is 31 years after the zero.
constexpr std::int64_t looks_like_epoch_ms = 1'000'000'000'000;

} // namespace

void TraceBuilder::throw_mistakes() {
    std::vector<Finding> findings = mistakes_.shown();
    if (options_.on_bad_row == OnBadRow::skip) {
        for (const Finding& one : findings)
            trace_.bad_rows.push_back(one.text());
        if (mistakes_.num_unlisted() > 0)
            trace_.bad_rows.push_back(
                fmt::format("... and {} more rows", mistakes_.num_unlisted()));
        return;
    }
    if (findings.empty())
        return;
    const std::uint64_t more = mistakes_.num_unlisted();
    if (more > 0 || trace_.size() > 0) {
        const Written* const option = options_.places.find("on_bad_row");
        const bool on_command_line = option != nullptr && option->place.file.starts_with("--");
        Finding last =
            mistake(more > 0 ? fmt::format("{} more rows cannot be used", more)
                             : fmt::format("{} of {} rows cannot be used",
                                           trace_.num_bad_rows,
                                           trace_.num_rows_read),
                    {},
                    fmt::format("`{}` leaves such rows out and counts them",
                                on_command_line ? "--skip-bad-rows" : "on_bad_row: skip"));
        last.place.file = options_.file;
        findings.push_back(std::move(last));
    }
    throw ScenarioError{std::move(findings)};
}

void TraceBuilder::list_left_out() {
    for (const Finding& one : left_out_.shown())
        trace_.left_out.push_back(one.text());
    if (left_out_.num_unlisted() > 0)
        trace_.left_out.push_back(fmt::format("... and {} more records", left_out_.num_unlisted()));
}

void TraceBuilder::fail_empty() const {
    Finding finding = mistake("no job left",
                              fmt::format("{} rows read, {} not selected, {} bad{}",
                                          trace_.num_rows_read,
                                          trace_.num_not_selected,
                                          trace_.num_bad_rows,
                                          trace_.num_left_out == 0
                                              ? std::string{}
                                              : fmt::format(", {} left out: {}",
                                                            trace_.num_left_out,
                                                            fmt::join(trace_.left_out, "; "))));
    if (trace_.num_not_selected > 0 && options_.places.find("select") != nullptr)
        fail_option(options_, "select", std::move(finding));
    fail_input(options_.file, std::move(finding));
}

/// Reports tenants of `select` that no row names, as for `shares`.
void TraceBuilder::check_selected_tenants() {
    std::vector<Finding> unknown;
    const std::vector<std::string> known = seen_tenants_.take();
    for (const std::string& tenant : options_.select.tenants)
        if (std::ranges::find(known, tenant) == known.end())
            unknown.push_back(at_option(options_,
                                        "select.tenants",
                                        mistake("no job is of tenant " + in_quotes(tenant),
                                                {},
                                                suggestion(tenant, known))));
    if (!unknown.empty())
        throw ScenarioError{std::move(unknown)};
}

/// Turns the numbered texts into the trace's tenants and GPU type sets.
void TraceBuilder::name_sets() {
    trace_.tenants = tenants_.take();
    if (trace_.tenants.empty())
        trace_.tenants.emplace_back("all");
    trace_.ran_on_gpus = ran_on_.take();
    trace_.classes = classes_.take();
    for (const std::string& text : gpu_types_.take()) {
        std::vector<std::string>& set = trace_.gpu_type_sets.emplace_back();
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t bar = std::min(text.find('|', at), text.size());
            if (bar > at)
                set.push_back(text.substr(at, bar - at));
            at = bar + 1;
        }
    }
}

/// Notes options without effect on this file. After name_sets().
void TraceBuilder::note_idle_options() {
    const auto note_option = [&](std::string_view option, Finding finding) {
        trace_.notes.push_back(at_option(options_, option, std::move(finding)).text());
    };
    for (const std::string& tenant : options_.select.tenants)
        if (std::ranges::find(trace_.tenants, tenant) == trace_.tenants.end())
            note_option("select.tenants",
                        mistake("no selected row is of tenant " + in_quotes(tenant)));
    if (!dated_ && options_.zone != "UTC")
        note_option("zone", mistake("has no effect", "the trace has no dates and no start"));
}

/// After rows were dropped: those whose `keep` is 0.
void TraceBuilder::keep_other_spans(const std::vector<std::uint8_t>& keep) {
    std::erase_if(other_spans_, [&](const OtherSpan& job) { return keep[job.row] == 0; });
    std::size_t row = 0;
    std::size_t num_kept = 0;
    for (OtherSpan& job : other_spans_) {
        for (; row < job.row; ++row)
            num_kept += keep[row];
        job.row = num_kept;
    }
}

void TraceBuilder::note_other_spans() {
    if (other_spans_.empty())
        return;
    trace_.assumed.push_back(fmt::format(
        "run times are {} of the trace; for {} job{} (the first on line {}) {} minus {} is another "
        "time: they were suspended, or clocks were changed{}",
        column_names_[*span_columns_.duration],
        other_spans_.size(),
        other_spans_.size() == 1 ? "" : "s",
        other_spans_.front().line,
        column_names_[*span_columns_.finish],
        column_names_[*span_columns_.start],
        time_form_ == TimeForm::stamp && !zone_.has_changes()
            ? " (a `zone` by name, such as Europe/Berlin, knows when)"
            : ""));
}

/// Looks up the jobs that others wait for. Returns by row whether it can be used; empty: all can.
std::vector<std::uint8_t> TraceBuilder::resolve_needs() {
    std::vector<std::uint8_t> keep;
    trace_.needs = needs_.resolve(
        trace_,
        [&](std::size_t row, FieldPlace place, Finding problem) {
            keep.resize(trace_.size(), 1);
            if (std::exchange(keep[row], std::uint8_t{0}) != 0)
                note(place, column_names_[needs_field_], std::move(problem));
        },
        num_not_needed_);
    return keep;
}

/// Refuses jobs that wait for each other, and notes jobs whose needed jobs were left out.
void TraceBuilder::check_needs() {
    if (trace_.needs.needed.empty()) {
        trace_.needs = {};
        trace_.think_ms.clear();
    }
    if (std::ranges::none_of(trace_.think_ms, [](std::int64_t ms) { return ms > 0; }))
        trace_.think_ms.clear();
    if (num_not_needed_ > 0)
        trace_.assumed.push_back(fmt::format("{} needed job{} not selected, or bad: the jobs that "
                                             "wait for {} take {} as ended",
                                             num_not_needed_,
                                             num_not_needed_ == 1 ? " is" : "s are",
                                             num_not_needed_ == 1 ? "it" : "them",
                                             num_not_needed_ == 1 ? "it" : "them"));
    const std::vector<std::uint32_t> circle = circle_in(trace_.needs);
    if (circle.empty())
        return;
    std::string names;
    for (std::size_t i = 0; i < std::min<std::size_t>(circle.size(), 4); ++i)
        names += in_quotes(trace_.name(circle[i])) + " waits for ";
    names += circle.size() > 4 ? fmt::format("... of {} jobs", circle.size())
                               : in_quotes(trace_.name(circle.front()));
    const FieldPlace place = needs_.place_on(trace_.line[circle.front()]);
    fail_input({options_.file, place.line, place.column},
               column_names_[needs_field_],
               mistake("jobs wait for each other", std::move(names)));
}

Trace TraceBuilder::finish() {
    const std::vector<std::uint8_t> keep = resolve_needs();
    throw_mistakes();
    list_left_out();
    check_selected_tenants();
    if (trace_.size() == 0)
        fail_empty();
    name_sets();
    if (!trace_.gpu_milli.empty())
        trace_.gpu_milli.resize(trace_.size(), 1000);
    if (!keep.empty()) {
        num_not_needed_ += keep_rows(trace_, keep);
        keep_other_spans(keep);
        if (trace_.size() == 0)
            fail_empty();
    }
    for (auto* const times : {&trace_.requested_ms, &trace_.due_after_ms, &trace_.checkpoint_ms})
        if (std::ranges::none_of(*times, [](std::int64_t given) { return given > 0; }))
            times->clear();
    note_idle_options();
    if (options_.select.first)
        if (const auto kept = keep_first(trace_, *options_.select.first, num_not_needed_);
            !kept.empty())
            keep_other_spans(kept);
    check_needs();
    note_other_spans();
    const std::int64_t zero = move_zero_to_first_submit(trace_);
    if (!dated_ && zero >= looks_like_epoch_ms)
        trace_.notes.push_back(at_option(options_,
                                         "times",
                                         mistake("submit times look like seconds since 1970",
                                                 "this trace has no dates",
                                                 "`times: epoch` dates it"))
                                   .text());
    if (dated_)
        trace_.zero_utc_ms = zero;
    scale_trace(trace_, options_);
    return std::move(trace_);
}

}} // namespace bursar::scenarios
