#include <algorithm>
#include <utility>

#include <fmt/ranges.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/traces/trace_builder.hpp"
#include "scenarios/traces/trace_options.hpp"
#include "scenarios/traces/trace_rows.hpp"

/// What a builder does once the file is read: tell what was wrong, name, select, scale.
namespace bursar { inline namespace scenarios {

namespace {
/// No trace of its own zero begins 31 years behind it.
constexpr std::int64_t looks_like_epoch_ms = 1'000'000'000'000;
} // namespace

void TraceBuilder::tell_mistakes() {
    std::vector<Finding> told = mistakes_.told();
    if (options_.on_bad_row == OnBadRow::skip) {
        for (const Finding& one : told)
            trace_.bad_rows.push_back(one.text());
        if (mistakes_.num_untold() > 0)
            trace_.bad_rows.push_back(fmt::format("... and {} more rows", mistakes_.num_untold()));
        return;
    }
    if (told.empty())
        return;
    if (mistakes_.num_untold() > 0) {
        Finding more = mistake(fmt::format("{} more rows cannot be used", mistakes_.num_untold()),
                               {},
                               "`on_bad_row: skip` leaves such rows out and counts them");
        more.place.file = options_.file;
        told.push_back(std::move(more));
    }
    throw ScenarioError{std::move(told)};
}

void TraceBuilder::tell_left_out() {
    for (const Finding& one : left_out_.told())
        trace_.left_out.push_back(one.text());
    if (left_out_.num_untold() > 0)
        trace_.left_out.push_back(fmt::format("... and {} more records", left_out_.num_untold()));
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

/// A tenant of `select` whom no row names is misspelt, as one of `shares` is.
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

/// Options that nothing in the file answered to. After name_sets().
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

Trace TraceBuilder::finish() {
    tell_mistakes();
    tell_left_out();
    check_selected_tenants();
    if (trace_.size() == 0)
        fail_empty();
    name_sets();
    if (std::ranges::none_of(trace_.asked_ms, [](std::int64_t asked) { return asked > 0; }))
        trace_.asked_ms.clear();
    note_idle_options();
    if (options_.select.first)
        keep_first(trace_, *options_.select.first);
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
