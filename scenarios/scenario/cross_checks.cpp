#include "scenarios/scenario/cross_checks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar {
namespace {

/// The elements of a list, or the value itself where the list's brackets were left out.
std::vector<Reader> elements(const std::optional<Reader>& list) {
    std::vector<Reader> all;
    if (!list)
        return all;
    if (list->node().kind == NodeKind::scalar)
        all.push_back(*list);
    for (std::size_t i = 0; i < list->node().items.size(); ++i)
        all.push_back(list->element(i));
    return all;
}

/// Names of the pools in the order of the fleet; reports the ones that come twice.
std::vector<std::string> check_pool_names(const Reader& at) {
    std::vector<std::string> names;
    for (const Reader& pool : elements(at.find("fleet"))) {
        const std::optional<Reader> name = pool.find("pool");
        if (!name || name->node().kind != NodeKind::scalar)
            continue;
        if (std::ranges::find(names, name->node().text) != names.end())
            name->mistake("the name is taken", "each pool has its own");
        else
            names.push_back(name->node().text);
    }
    return names;
}

void check_class_pools(const Reader& job_class, const std::vector<std::string>& pools) {
    for (const Reader& pool : elements(job_class.find("pools"))) {
        const std::string& name = pool.node().text;
        if (pool.node().kind == NodeKind::scalar && std::ranges::find(pools, name) == pools.end())
            pool.mistake("no pool is named " + in_quotes(name), {}, suggestion(name, pools));
    }
}

void check_class_order(const std::vector<Reader>& classes) {
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const bool last = i + 1 == classes.size();
        const std::optional<Reader> match = classes[i].find("match");
        if (last && match)
            match->mistake("the last class has no match", "it takes the jobs that are left");
        else if (!last && !match && classes[i].node().kind == NodeKind::mapping)
            classes[i].mistake_at("match", "missing", "the classes behind it would get no job");
    }
}

/// measure beyond the end of the run; on values that were read.
void check_horizon(const Reader& at, const Scenario& scenario) {
    const std::optional<Reader> measure = at.find("measure");
    if (!measure || !scenario.until)
        return;
    if (scenario.measure_from >= *scenario.until)
        measure->mistake("nothing is measured", "it begins after until");
    else if (scenario.measure_to && *scenario.measure_to > *scenario.until)
        measure->mistake("the measured time is longer than the run", "it ends after until");
}

} // namespace

void check_across(const Reader& at, const Scenario& scenario) {
    const std::vector<std::string> pools = check_pool_names(at);
    if (const std::optional<Reader> workload = at.find("workload")) {
        const std::vector<Reader> classes = elements(workload->find("classes"));
        check_class_order(classes);
        for (const Reader& job_class : classes)
            check_class_pools(job_class, pools);
    }
    if (at.num_mistakes() == 0)
        check_horizon(at, scenario);
}

void add_warnings(const Reader& at, Scenario& scenario) {
    const std::optional<Reader> repeat = at.find("repeat");
    const std::optional<Reader> seeds = repeat ? repeat->find("seeds") : std::nullopt;
    const bool from_trace = std::holds_alternative<TraceOptions>(scenario.workload);
    if (seeds && scenario.seeds > 1 && from_trace)
        scenario.warnings.push_back(seeds->finding(
            fmt::format("nothing in this scenario is random: all {} seeds give the same result",
                        scenario.seeds),
            "a trace and constant prices",
            "leave out repeat.seeds"));
}

void add_assumptions(Scenario& scenario) {
    for (const PoolSpec& pool : scenario.fleet)
        if (pool.purchase == Purchase::reserved && !pool.term)
            scenario.assumed.push_back(
                fmt::format("reserved pool {} has no term: paid to the end of the run", pool.name));

    std::vector<std::string> priced;
    for (const PoolSpec& pool : scenario.fleet)
        if (pool.price)
            priced.push_back(pool.name);
    if (priced.size() == 1)
        scenario.assumed.push_back(fmt::format("price of pool {} has no date", priced.front()));
    else if (!priced.empty())
        scenario.assumed.push_back(
            fmt::format("prices of pools {} have no date", fmt::join(priced, ", ")));

    const auto without_startup =
        std::ranges::count(scenario.classes, Duration{}, &ClassSpec::startup);
    if (scenario.classes.empty())
        scenario.assumed.emplace_back("no startup time declared");
    else if (without_startup > 0)
        scenario.assumed.push_back(fmt::format("no startup time declared ({} {})",
                                               without_startup,
                                               without_startup == 1 ? "class" : "classes"));
}

} // namespace bursar
