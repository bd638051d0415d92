#include "scenarios/keys/workload/workload_keys.hpp"

#include <limits>

#include <fmt/format.h>

#include "sim/plan/plan_view.hpp"

#include "scenarios/keys/fleet/fleet_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/traces/text/time_zone.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// `select.to` is after `select.from`, in the trace's zone.
void check_selected_time(const Reader& at, const TraceOptions& trace, const KeysRead& keys) {
    std::optional<TimeZone> zone = TimeZone::of(trace.zone);
    if (!keys.good("select") || !zone || !trace.select.from || !trace.select.to)
        return;
    const auto from = zone->date_or_timestamp(*trace.select.from);
    const auto to = zone->date_or_timestamp(*trace.select.to);
    if (from && to && *to <= *from)
        at.find("select")->mistake_at("to", "the range is empty", "it is not after from");
}

bool is_from_outside(const Reader& value) {
    const Source& source = *value.node().source;
    return source.written && !source.has_lines;
}

/// If `--set` gives another file, the scenario's format belongs to the old one, and the new file's
/// format is recognised by its header. With `columns`, which belong to a format, it stays.
void forget_other_format(const Reader& at, TraceOptions& trace) {
    const std::optional<Reader> file = at.find("file");
    const std::optional<Reader> format = at.find("format");
    if (file && format && is_from_outside(*file) && !is_from_outside(*format) &&
        !at.find("columns"))
        trace.format.clear();
}

Table<TraceSelect> select_keys() {
    return table<TraceSelect>(
               {
                   {optional("gpus", &TraceSelect::gpus, count_range()), "gang sizes; default all"},
                   {optional("tenants", &TraceSelect::tenants, one_or_list_of(text())),
                    "one tenant or a list of them; default all"},
                   {optional("tenant", &TraceSelect::tenants, one_or_list_of(text())),
                    "same as tenants"},
                   {optional("from", &TraceSelect::from, instant()),
                    "submitted at or after, in the trace's zone; default: the first"},
                   {optional("to", &TraceSelect::to, instant()),
                    "submitted before, in the trace's zone; default: the last"},
                   {optional("first",
                             &TraceSelect::first,
                             whole_number(1, 4'294'967'295)), // the most of a trace
                    "only the first N of the selected jobs by submit time; default all"},
               })
        .at_most_one_of({"tenants", "tenant"});
}

Table<TraceScale> scale_keys() {
    return table<TraceScale>({
        {optional("time", &TraceScale::time, positive_number()),
         "multiplies submit times and durations; default 1"},
        {optional("load", &TraceScale::load, positive_number()),
         "divides the time between submits; default 1"},
        {optional("gpus", &TraceScale::gpus, positive_number()),
         "multiplies gang sizes, rounded, at least 1; default 1"},
    });
}

/// Notes the places of `at` and of all values below it; option: its path below the trace.
void note_places(const Reader& at, const std::string& option, OptionPlaces& places) {
    for (const Pair& pair : at.node().pairs) {
        const Reader value = at.member(pair.key.text, pair.value);
        const std::string path = option.empty() ? pair.key.text : option + '.' + pair.key.text;
        places.note(path, {value.node().place(), value.path()});
        if (path == "select.tenant") // the same as tenants
            places.note("select.tenants", {value.node().place(), value.path()});
        note_places(value, path, places);
    }
}

Table<TraceOptions> trace_keys(const std::vector<std::string>& formats) {
    const ChoiceRule<OnBadRow> on_bad_row{{{"error", OnBadRow::error}, {"skip", OnBadRow::skip}}};
    return table<TraceOptions>(
               {
                   {required("file", &TraceOptions::file, file()), "the trace, plain, .gz or .zst"},
                   {optional("format", &TraceOptions::format, one_of(formats)),
                    "format of the file; default: detected from its header"},
                   {optional("columns", &TraceOptions::columns, TextMapRule{}),
                    "csv: which column of the file holds what; default: the same names; sacct "
                    "without a header: positions, such as `State: 6`"},
                   {optional("times",
                             &TraceOptions::times,
                             choice_of<WrittenTimes>(written_times_names)),
                    "generic CSV only: times are seconds (epoch) or milliseconds "
                    "(epoch-ms) since 1970; default as-seen: dates, or seconds from a zero "
                    "of the trace's own"},
                   {optional("select", &TraceOptions::select, select_keys()),
                    "which jobs are replayed"},
                   {optional("scale", &TraceOptions::scale, scale_keys()),
                    "how the trace is changed"},
                   {optional("resample", &TraceOptions::resample, duration(Zero::refused)),
                    "draws the trace anew for each seed, out of its blocks of this length with "
                    "replacement, such as 1 d; default: each seed has the trace itself"},
                   {optional("start", &TraceOptions::start, instant()),
                    "date of time zero, for relative times; default: none"},
                   {optional("zone", &TraceOptions::zone, ClockZoneRule{}),
                    "time zone of times without one: UTC, an offset such as +08:00, or a name such "
                    "as "
                    "Europe/Berlin; default UTC"},
                   {optional(
                        "shards_per_gpu", &TraceOptions::shards_per_gpu, whole_number(1, 1000)),
                    "sacct only: how many gres/shard, or gres/mps, one GPU is divided into; "
                    "default: such jobs are refused"},
                   {optional("on_bad_row", &TraceOptions::on_bad_row, on_bad_row),
                    "skip: rows that cannot be used are counted and listed; default error"},
               })
        .check([](const Reader& at, TraceOptions& trace, const KeysRead& keys) {
            check_selected_time(at, trace, keys);
            forget_other_format(at, trace);
            note_places(at, {}, trace.places);
        });
}

/// A trace that has steps in place of run times takes them at the measured speeds.
void give_measured_steps(Scenario& scenario) {
    auto* const trace = std::get_if<TraceWorkload>(&scenario.workload);
    const RunTimesSpec& run_times = scenario.run_times;
    if (trace == nullptr || run_times.measured == nullptr)
        return;
    TraceOptions options = **trace;
    options.steps = {run_times.measured, run_times.gpu, run_times.measured->hash()};
    *trace = TraceWorkload{std::move(options)};
}

/// A trace file with its options.
class TraceRule {
  public:
    using value_type = TraceWorkload;
    explicit TraceRule(Table<TraceOptions> keys) : keys_{std::move(keys)} {}

    [[nodiscard]] std::optional<TraceWorkload> read(const Reader& at) const {
        std::optional<TraceOptions> options = keys_.read(at);
        return options ? std::optional<TraceWorkload>{std::move(*options)} : std::nullopt;
    }
    [[nodiscard]] Schema schema() const { return keys_.schema(); }

  private:
    Table<TraceOptions> keys_;
};

Table<SyntheticSpec> synthetic_keys(const std::vector<std::string>& likes) {
    return table<SyntheticSpec>(
               {
                   {required("like", &SyntheticSpec::like, OpenNameRule{likes}),
                    "the cluster whose statistics the jobs follow"},
                   {optional("profiles", &SyntheticSpec::profiles, file()),
                    "file of cluster statistics; default: scenarios/catalog/profiles.yaml"},
                   {required("jobs", &SyntheticSpec::jobs, whole_number(1, max_jobs)),
                    "number of jobs"},
                   {required("gpus", &SyntheticSpec::gpus, whole_number(1, 1'000'000'000)),
                    "size of the cluster that load refers to"},
                   {optional("load", &SyntheticSpec::load, positive_number()),
                    "offered GPU time over that cluster's capacity; default 1"},
                   {optional("seed",
                             &SyntheticSpec::seed,
                             whole_number(0, std::numeric_limits<std::int64_t>::max())),
                    "of the generator; default 1"},
               })
        .check([likes](const Reader& at, SyntheticSpec& spec, const KeysRead& keys) {
            spec.place = at.node().place();
            spec.has_seed = at.find("seed").has_value();
            if (keys.good("like") && !at.find("profiles"))
                static_cast<void>(one_of(likes).read(*at.find("like")));
        });
}

Table<ClassMatch> match_keys() {
    return table<ClassMatch>({
        {optional("names", &ClassMatch::names, one_or_list_of(text())), "job names; default all"},
        {optional("gpus", &ClassMatch::gpus, count_range()), "gang sizes; default all"},
        {optional("tenants", &ClassMatch::tenants, one_or_list_of(text())), "tenants; default all"},
        {optional("classes", &ClassMatch::classes, one_or_list_of(text())),
         "values of the trace's column `class`; default all"},
    });
}

struct WrittenStartup {
    Duration pull{};
    Duration data{};
    Duration init{};
};

/// A duration, of which nothing can be staged ahead, or its parts.
struct StartupRule {
    using value_type = StartupSpec;

    [[nodiscard]] std::optional<StartupSpec> read(const Reader& at) const {
        if (at.node().kind != NodeKind::mapping) {
            const std::optional<Duration> whole = duration().read(at);
            return whole ? std::optional{StartupSpec{.whole = *whole}} : std::nullopt;
        }
        const std::optional<WrittenStartup> parts = part_keys().read(at);
        if (!parts)
            return std::nullopt;
        if (at.node().pairs.empty())
            return at.mistake("names no part", "one or more of `pull`, `data` and `init`");
        const Duration staged = parts->pull + parts->data;
        if (staged + parts->init >= Duration{horizon_ms})
            return at.mistake("its parts are too long together", "less than 34.8 years");
        return StartupSpec{staged + parts->init, staged};
    }
    [[nodiscard]] Schema schema() const {
        return {{"anyOf", {duration().schema(), part_keys().schema()}}};
    }

  private:
    [[nodiscard]] static Table<WrittenStartup> part_keys() {
        return table<WrittenStartup>(
            {{optional("pull", &WrittenStartup::pull, duration()),
              "pulling the image; policy.staging may do it ahead of the start; default 0 s"},
             {optional("data", &WrittenStartup::data, duration()),
              "loading data; likewise; default 0 s"},
             {optional("init", &WrittenStartup::init, duration()),
              "processes, communicators, compilation and warm-up; default 0 s"}});
    }
};

Table<ClassSpec> class_keys(const KnownNames& names, const Catalogue& catalogue) {
    std::vector<Key<ClassSpec>> keys{
        {optional("name", &ClassSpec::name, text()),
         "what jobs.csv calls it; default: its number, from 0"},
        {optional("match", &ClassSpec::match, match_keys()),
         "which jobs the class takes; the last class has no match and takes the rest"},
        {optional("startup", &ClassSpec::startup, StartupRule{}),
         "time on its GPUs before work begins, or its parts; default 0 s"},
        {optional("teardown", &ClassSpec::teardown, duration()),
         "time on its GPUs after work ended; default 0 s"},
        {optional("pools", &ClassSpec::pools, one_or_list_of(identifier())),
         "pools the jobs may run in; default all"},
        {optional("cpu", &ClassSpec::cpu_milli, thousandths(0, max_cores)),
         "cores per GPU; default: what the trace says"},
        {optional("memory", &ClassSpec::memory_bytes, amount(byte_counts)),
         "main memory per GPU; default: what the trace says"},
    };
    for (Key<ClassSpec>& key : checkpoint_keys())
        keys.push_back(std::move(key));
    for (Key<ClassSpec>& key : locality_keys())
        keys.push_back(std::move(key));
    keys.push_back(elastic_key());
    keys.push_back(speed_key(catalogue));
    keys.push_back(job_type_key());
    for (Key<ClassSpec>& key : precision_keys())
        keys.push_back(std::move(key));
    for (Key<ClassSpec>& key : job_failure_keys())
        keys.push_back(std::move(key));
    for (Key<ClassSpec>& key : worth_keys())
        keys.push_back(std::move(key));
    std::vector<std::string> training;
    for (Key<ClassSpec>& key : training_keys(names)) {
        training.push_back(key.text.name);
        keys.push_back(std::move(key));
    }
    return table<ClassSpec>(keys)
        .at_most_one_of({"tokens", "steps", "epochs", "target_loss"})
        .check([training](const Reader& at, ClassSpec& spec, const KeysRead& read) {
            spec.place = at.node().place();
            check_training(at, spec, read, training);
            check_memory(at, spec.memory_bytes.value_or(0));
            check_locality(at);
            check_elastic(at, spec);
            check_speed(at);
            check_precision(at, spec, read);
        });
}

} // namespace

Table<Scenario> workload_keys(const KnownNames& names, const Catalogue& catalogue) {
    std::vector<Key<Scenario>> keys{
        {optional("trace", &Scenario::workload, TraceRule{trace_keys(names.trace_formats)}),
         "replay the jobs of a file"},
        {optional("synthetic", &Scenario::workload, synthetic_keys(names.synthetic)),
         "draw the jobs from published statistics"},
        {key_row<Scenario>(
             "jobs",
             Presence::optional,
             [](Scenario& scenario) -> std::vector<ListedJob>& {
                 return scenario.workload.emplace<JobList>().jobs;
             },
             list_of(listed_job_keys())),
         "the jobs, one by one"},
    };
    const ChoiceRule<DependencyRule> rules{
        {{"afterany", DependencyRule::afterany}, {"afterok", DependencyRule::afterok}}};
    keys.push_back({optional("dependencies", &Scenario::dependencies, rules),
                    "how the jobs that others wait for must end: at all (afterany), or completed "
                    "(afterok); default afterany"});
    for (Key<Scenario>& key : run_times_keys(catalogue))
        keys.push_back(std::move(key));
    keys.push_back({optional("classes", &Scenario::classes, list_of(class_keys(names, catalogue))),
                    "properties that jobs share; first match wins; default: one class"});
    keys.push_back(shares_key());
    return table<Scenario>(keys)
        .exactly_one_of({"trace", "synthetic", "jobs"})
        .check([](const Reader& at, Scenario& scenario, const KeysRead& read) {
            const auto* list = std::get_if<JobList>(&scenario.workload);
            if (list != nullptr && read.good("jobs"))
                check_listed_jobs(at, *list);
            give_measured_steps(scenario);
        });
}

}} // namespace bursar::scenarios
