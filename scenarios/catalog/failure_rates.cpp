#include "scenarios/catalog/failure_rates.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "scenarios/catalog/catalogue_file.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

KeyRow<NamedFailureRates> rate(std::string name, double FailureRates::*member) {
    return optional(std::move(name),
                    within(&NamedFailureRates::rates, member),
                    NumberRule{0, Bound::included, 1e6});
}

/// Reports each wrong rate, and an entry without any rate. at: the entry.
void check_rates(const Reader& at, NamedFailureRates& entry, const KeysRead& read) {
    if (!read.good("per_job_day") || !read.good("per_node_day") || !read.good("nodes") ||
        !read.good("components"))
        return;
    if (entry.rates.per_job_day + entry.rates.per_node_day <= 0)
        at.mistake("nothing ever fails", "per_job_day or per_node_day above zero");
    if (entry.max_nodes < entry.min_nodes)
        at.mistake_at("nodes", "the range is empty", "min, then max");
    if (!entry.components.empty() && entry.rates.per_node_day <= 0)
        at.mistake_at("components", "nodes do not fail", "per_node_day above zero");
    std::set<std::string> names;
    for (const CountedComponent& component : entry.components)
        if (!names.insert(component.name).second)
            at.mistake_at("components", "two are called " + in_quotes(component.name), {});
}

Table<CountedComponent> component_keys() {
    using T = CountedComponent;
    return table<T>({
        {required("name", &T::name, text()), "unique in its entry"},
        {required("failures", &T::failures, NumberRule{0, Bound::excluded, 1e9}),
         "how many of the failures it was the cause of"},
        {required("of", &T::of, choice_of<FailingPart>(failing_part_names)),
         "whether a GPU or a node has it"},
    });
}

Table<MeasuredJobs> measured_keys() {
    using T = MeasuredJobs;
    const NumberRule positive{0, Bound::excluded, 1e9};
    return table<T>({
        {required("gpus", &T::gpus, positive), "of a job"},
        {required("hours", &T::hours, positive), "mean time between its failures"},
    });
}

Table<SaveRates> write_keys() {
    using T = SaveRates;
    const NumberRule positive{0, Bound::excluded, 1e9};
    return table<T>({
        {required("per_node_gb_s", &T::per_node_gb_s, positive), "what one node writes, GB/s"},
        {required("most_gb_s", &T::most_gb_s, positive), "what all nodes write together at most"},
        {required("source", &T::source, text()), "where they were published"},
    });
}

Table<NamedRestart> restart_keys() {
    using T = NamedRestart;
    return table<T>({
        {required("name", &T::name, text()), "unique"},
        {optional("era", &T::era, text()), "when jobs restarted like this (not stated)"},
        {required("from_nodes", &T::from_nodes, NumberRule{0, Bound::excluded, 1e9}),
         "the fewest nodes of jobs that have it by default; ascending"},
        {required("minutes", &T::minutes, NumberRule{0, Bound::included, 1e6}),
         "from a failure to training again, without loading"},
        {required("source", &T::source, text()), "where it was published"},
    });
}

Table<NamedFailureRates> rate_keys() {
    using T = NamedFailureRates;
    const NumberRule count{0, Bound::excluded, 1e9};
    Table<T> nodes = table<T>({
        {required("min", &T::min_nodes, count), "the fewest"},
        {required("max", &T::max_nodes, count), "the most"},
    });
    return table<T, check_rates>({
        {required("name", &T::name, text()), "unique; the value of `--rates`"},
        {optional("era", &T::era, text()), "when, and on which GPUs (not stated)"},
        {rate("per_job_day", &FailureRates::per_job_day),
         "failures of a job in a day, whatever its size (0)"},
        {rate("per_node_day", &FailureRates::per_node_day), "failures of a node in a day (0)"},
        {section("nodes", Presence::required, std::move(nodes)),
         "sizes of jobs the rates were found on"},
        {optional("components", &T::components, list_of(component_keys())),
         "what failed, by number (not published)"},
        {optional("measured", &T::measured, list_of(measured_keys())),
         "what was measured on whole jobs, printed beside the rates (nothing)"},
        {required("source", &T::source, text()), "where they were published"},
    });
}

CatalogueFile<FailureCatalogue> rate_file() {
    return CatalogueFile{
        table<FailureCatalogue>(
            {{required("rates", &FailureCatalogue::all, list_of(rate_keys())), "the rates"},
             {optional("writes", &FailureCatalogue::writes, write_keys()),
              "how fast jobs save (as in the built-in file)"},
             {optional("restarts", &FailureCatalogue::restarts, list_of(restart_keys())),
              "times from a failure to training again (as in the built-in file)"}}),
        [](const Reader& root) {
            UniqueNames{}.claim_names(root, "rates");
            if (root.find("restarts"))
                UniqueNames{}.claim_names(root, "restarts");
        }};
}

/// A file of the user's, with what it leaves out of the built-in one.
FailureCatalogue completed(FailureCatalogue own) {
    const FailureCatalogue& builtin = builtin_failure_rates();
    if (own.writes.source.empty())
        own.writes = builtin.writes;
    if (own.restarts.empty())
        own.restarts = builtin.restarts;
    return own;
}

} // namespace

const NamedFailureRates* FailureCatalogue::find(std::string_view name) const {
    return find_named(all, name);
}

FailureModel failure_model(const NamedFailureRates& rates, RepairTime repair) {
    constexpr double hours_per_day = 24;
    const double per_node_hour = rates.rates.per_node_day / hours_per_day;
    FailureModel model;
    if (rates.components.empty())
        model.components.push_back(
            {.name = "node", .per_node_hour = per_node_hour, .repair = repair});
    double all = 0;
    for (const CountedComponent& counted : rates.components)
        all += counted.failures;
    for (const CountedComponent& counted : rates.components) {
        const double of_node = per_node_hour * counted.failures / all;
        FailureComponent component{.name = counted.name, .repair = repair};
        if (counted.of == FailingPart::gpu)
            component.per_gpu_hour = of_node / catalogue_gpus_per_node;
        else
            component.per_node_hour = of_node;
        model.components.push_back(std::move(component));
    }
    return model;
}

std::vector<std::string> FailureCatalogue::names() const {
    return names_of(all);
}

const NamedRestart& FailureCatalogue::restart_of(double nodes) const {
    const auto after = std::ranges::find_if(
        restarts, [&](const NamedRestart& one) { return one.from_nodes > nodes; });
    return after == restarts.begin() ? restarts.front() : *(after - 1);
}

const FailureCatalogue& builtin_failure_rates() {
    static const FailureCatalogue catalogue =
        rate_file().read_text(builtin_failures_yaml, "failures.yaml");
    return catalogue;
}

FailureCatalogue read_failure_rates(const std::string& path) {
    return completed(rate_file().read(path));
}

FailureCatalogue read_failure_rates_text(std::string_view text, const std::string& file) {
    return completed(rate_file().read_text(text, file));
}

}} // namespace bursar::scenarios
