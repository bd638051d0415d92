#include "scenarios/scenario/workload_keys.hpp"

#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/traces/text/timestamps.hpp"

namespace bursar {
namespace {

/// select.to against select.from, in the trace's zone.
void check_selected_time(const Reader& at, const TraceOptions& trace, const KeysRead& keys) {
    const std::optional<std::int64_t> zone = parse_zone(trace.zone);
    if (!keys.good("select") || !zone || !trace.select.from || !trace.select.to)
        return;
    const auto from = parse_date_or_timestamp(*trace.select.from, *zone);
    const auto to = parse_date_or_timestamp(*trace.select.to, *zone);
    if (from && to && *to <= *from)
        at.find("select")->mistake_at("to", "nothing is selected", "it is not after from");
}

Table<TraceSelect> select_keys() {
    return table<TraceSelect>(
               {
                   optional("gpus", &TraceSelect::gpus, count_range(), "gang sizes; default all"),
                   optional("tenants",
                            &TraceSelect::tenants,
                            one_or_list_of(text()),
                            "one tenant or a list of them; default all"),
                   optional(
                       "tenant", &TraceSelect::tenants, one_or_list_of(text()), "same as tenants"),
                   optional("from",
                            &TraceSelect::from,
                            instant(),
                            "submitted at or after, in the trace's zone; default: the first"),
                   optional("to",
                            &TraceSelect::to,
                            instant(),
                            "submitted before, in the trace's zone; default: the last"),
                   optional("first",
                            &TraceSelect::first,
                            whole_number(1),
                            "only the first N of the selected jobs by submit time; default all"),
               })
        .at_most_one_of({"tenants", "tenant"});
}

Table<TraceScale> scale_keys() {
    return table<TraceScale>({
        optional("time",
                 &TraceScale::time,
                 positive_number(),
                 "multiplies submit times and durations; default 1"),
        optional("load",
                 &TraceScale::load,
                 positive_number(),
                 "divides the time between submits; default 1"),
        optional("gpus",
                 &TraceScale::gpus,
                 positive_number(),
                 "multiplies gang sizes, rounded, at least 1; default 1"),
    });
}

Table<TraceOptions> trace_keys(const std::vector<std::string>& formats) {
    const ChoiceRule<OnBadRow> on_bad_row{{{"error", OnBadRow::error}, {"skip", OnBadRow::skip}}};
    return table<TraceOptions>(
               {
                   required("file", &TraceOptions::file, file(), "the trace, plain, .gz or .zst"),
                   optional("format",
                            &TraceOptions::format,
                            one_of(formats),
                            "how the file is read; default: recognised by its header"),
                   optional("columns",
                            &TraceOptions::columns,
                            TextMapRule{},
                            "generic CSV only: which column of the file holds what; default: the "
                            "same names"),
                   optional(
                       "select", &TraceOptions::select, select_keys(), "which jobs are replayed"),
                   optional(
                       "scale", &TraceOptions::scale, scale_keys(), "how the trace is changed"),
                   optional("start",
                            &TraceOptions::start,
                            instant(),
                            "the date of a relative trace's zero; default: none"),
                   optional("zone",
                            &TraceOptions::zone,
                            zone(),
                            "of stamps that carry none: UTC or an offset; default UTC"),
                   optional("on_bad_row",
                            &TraceOptions::on_bad_row,
                            on_bad_row,
                            "skip: rows that cannot be used are counted and listed; default error"),
               })
        .check(check_selected_time);
}

Table<SyntheticSpec> synthetic_keys(const std::vector<std::string>& likes) {
    return table<SyntheticSpec>(
               {
                   required("like",
                            &SyntheticSpec::like,
                            one_of(likes),
                            "whose statistics the jobs follow"),
                   required("jobs",
                            &SyntheticSpec::jobs,
                            whole_number(1, 1'000'000'000),
                            "number of jobs"),
                   required("gpus",
                            &SyntheticSpec::gpus,
                            whole_number(1, 1'000'000'000),
                            "size of the cluster that load refers to"),
                   optional("load",
                            &SyntheticSpec::load,
                            positive_number(),
                            "offered GPU time over that cluster's capacity; default 1"),
                   optional("seed",
                            &SyntheticSpec::seed,
                            whole_number(0),
                            "of the generator; default 1"),
               })
        .check([](const Reader& at, SyntheticSpec& spec, const KeysRead&) {
            spec.place = at.node().place();
        });
}

Table<ClassMatch> match_keys() {
    return table<ClassMatch>({
        optional("gpus", &ClassMatch::gpus, count_range(), "gang sizes; default all"),
        optional("tenants", &ClassMatch::tenants, one_or_list_of(text()), "tenants; default all"),
    });
}

Table<ClassSpec> class_keys() {
    return table<ClassSpec>({
                                optional("match",
                                         &ClassSpec::match,
                                         match_keys(),
                                         "which jobs the class takes; the last class has no match "
                                         "and takes the rest"),
                                optional("startup",
                                         &ClassSpec::startup,
                                         duration(),
                                         "time on its GPUs before work begins; default 0 s"),
                                optional("teardown",
                                         &ClassSpec::teardown,
                                         duration(),
                                         "time on its GPUs after work ended; default 0 s"),
                                optional("pools",
                                         &ClassSpec::pools,
                                         one_or_list_of(identifier()),
                                         "pools the jobs may run in; default all"),
                            })
        .check([](const Reader& at, ClassSpec& spec, const KeysRead&) {
            spec.place = at.node().place();
        });
}

} // namespace

Table<Scenario> workload_keys(const KnownNames& names) {
    return table<Scenario>(
               {
                   optional("trace",
                            &Scenario::workload,
                            trace_keys(names.trace_formats),
                            "replay the jobs of a file"),
                   optional("synthetic",
                            &Scenario::workload,
                            synthetic_keys(names.synthetic),
                            "draw the jobs from published statistics"),
                   optional("classes",
                            &Scenario::classes,
                            list_of(class_keys()),
                            "what jobs have in common; first match wins; default: one class"),
               })
        .exactly_one_of({"trace", "synthetic"});
}

} // namespace bursar
