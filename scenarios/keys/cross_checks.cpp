#include "scenarios/keys/cross_checks.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "policies/allocator/fifo_perf.hpp"
#include "policies/allocator/quotas.hpp"
#include "policies/broker/migrate.hpp"
#include "policies/broker/owned_first.hpp"

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/keys/price/price_keys.hpp"

namespace bursar { inline namespace scenarios {
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

/// Names of the pools in the order of the fleet; reports names that are used twice.
std::vector<std::string> check_pool_names(const Reader& at) {
    std::vector<std::string> names;
    for (const Reader& pool : elements(at.find("fleet"))) {
        const std::optional<Reader> name = pool.find("pool");
        if (!name || name->node().kind != NodeKind::scalar)
            continue;
        if (std::ranges::find(names, name->node().text) != names.end())
            name->mistake("duplicate name", "pool names are unique");
        else
            names.push_back(name->node().text);
    }
    return names;
}

/// Reports names of classes that jobs.csv could not tell apart from another class, which has its
/// number where it has no name.
void check_class_names(const std::vector<Reader>& classes) {
    std::vector<std::string> names;
    for (const Reader& one : classes) {
        const std::optional<Reader> name = one.find("name");
        if (!name || name->node().kind != NodeKind::scalar)
            continue;
        const std::string& text = name->node().text;
        if (text.find_first_not_of("0123456789") == std::string::npos)
            name->mistake("duplicate name", "numbers are the names of classes without one");
        else if (std::ranges::find(names, text) != names.end())
            name->mistake("duplicate name", "names of classes are unique");
        names.push_back(text);
    }
}

/// owner: a class or a quota, which names the pools.
void check_named_pools(const Reader& owner, const std::vector<std::string>& pools) {
    for (const Reader& pool : elements(owner.find("pools"))) {
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
            match->mistake("the last class has no match", "it takes the remaining jobs");
        else if (!last && !match && classes[i].node().kind == NodeKind::mapping)
            classes[i].mistake_at("match", "missing", "the classes after it would get no job");
    }
}

/// At least one pool has nodes. Needs values that were read.
void check_nodes(const Reader& at, const Scenario& scenario) {
    const bool all_off =
        std::ranges::all_of(scenario.fleet, [](const PoolSpec& pool) { return pool.nodes == 0; });
    const std::vector<Reader> pools = elements(at.find("fleet"));
    if (all_off && !pools.empty())
        pools.front().mistake_at("nodes", "no pool has nodes", "0 leaves a pool out");
}

/// Migration needs at least two pools. Needs values that were read.
void check_migration(const Reader& at, const Scenario& scenario) {
    const auto num_pools =
        std::ranges::count_if(scenario.fleet, [](const PoolSpec& pool) { return pool.nodes > 0; });
    if (!migrates(scenario.policy.broker_options) || num_pools != 1)
        return;
    const std::optional<Reader> policy = at.find("policy");
    const std::optional<Reader> broker = policy ? policy->find("broker") : std::nullopt;
    if (broker)
        broker->mistake_at("migrate",
                           "no running job can migrate",
                           "the fleet has one pool with nodes",
                           "remove it, or add a pool");
}

/// With an allocator, a broker chooses only the pools that launch nodes. Needs values that were
/// read.
void check_broker(const Reader& at, const Scenario& scenario) {
    const PolicyChoice& choice = scenario.policy;
    if (choice.allocator == allocator_none || choice.broker == OwnedFirst::name ||
        std::ranges::any_of(scenario.fleet, &PoolSpec::launches))
        return;
    if (const std::optional<Reader> policy = at.find("policy"))
        policy->mistake_at(
            "broker",
            fmt::format("{} has no effect", choice.broker),
            fmt::format("{} decides where jobs run, and no pool launches nodes", choice.allocator),
            "remove it");
}

/// Jobs share GPUs by measured pairs, of nodes that are there all the time. Needs values that were
/// read.
void check_packing(const Reader& at, const Scenario& scenario) {
    if (scenario.policy.allocator_options.value(packing_option) == 0)
        return;
    const ThroughputTable* const measured = scenario.run_times.measured.get();
    if (measured == nullptr || !measured->has_shared())
        at.find("policy")->mistake_at("allocator",
                                      "packing: on needs the speeds of jobs that share GPUs",
                                      measured == nullptr
                                          ? "workload.speeds names no file"
                                          : measured->file() + " has no pairs of jobs",
                                      "add `speeds: {file: ...}` to the workload, such as Gavel's "
                                      "simulation_throughputs.json");
    const std::vector<Reader> pools = elements(at.find("fleet"));
    for (std::size_t pool = 0; pool < pools.size(); ++pool) {
        const PoolSpec& spec = scenario.fleet[pool];
        const std::string_view key = spec.has_range()       ? "nodes"
                                     : spec.availability    ? "availability"
                                     : spec.failures        ? "failures"
                                     : spec.maintenance     ? "maintenance"
                                     : spec.spares          ? "spares"
                                     : spec.launch_failures ? "launch_failures"
                                     : spec.stragglers      ? "stragglers"
                                                            : "";
        if (!key.empty())
            pools[pool].mistake_at(std::string{key},
                                   "cannot be combined with packing: on",
                                   "jobs share GPUs of nodes that are there all the time, and "
                                   "equally fast",
                                   "remove it, or packing");
    }
    if (std::ranges::any_of(scenario.budgets, [](const BudgetSpec& budget) {
            return budget.then != BudgetThen::alert;
        }))
        at.mistake_at("budgets",
                      "cannot be combined with packing: on",
                      "a spent budget stops jobs, and those that share GPUs are stopped by none",
                      "remove them, or packing");
    const std::vector<Reader> classes = elements(at.find("workload")->find("classes"));
    for (std::size_t i = 0; i < classes.size(); ++i)
        if (scenario.classes[i].failures || scenario.classes[i].overflow_restarts > 0)
            classes[i].mistake_at(scenario.classes[i].failures ? "failures" : "overflow_restarts",
                                  "cannot be combined with packing: on",
                                  "jobs that share GPUs fail by themselves in no model here",
                                  "remove it, or packing");
}

/// The allocator that keeps quotas has some, each tenant's once. Needs values that were read.
void check_tenants(const Reader& at, const Scenario& scenario) {
    const std::vector<Reader> written = elements(at.find("tenants"));
    if (scenario.policy.allocator == Quotas::name && written.empty())
        at.find("policy")->mistake_at("allocator",
                                      "no tenant has a quota",
                                      "quotas starts jobs within the quotas of their tenants",
                                      "add `tenants:`, such as `{name: vision, nominal: 64}`");
    for (std::size_t i = 0; i < written.size(); ++i)
        for (std::size_t before = 0; before < i; ++before)
            if (scenario.tenants[before].name == scenario.tenants[i].name)
                written[i].mistake_at("name", "this tenant is there before");
}

/// Numbers of GPUs name pools of the fleet, or the fleet has one.
void check_pool_gpus(const Reader& gpus, const std::vector<std::string>& pools) {
    if (gpus.node().kind != NodeKind::mapping) {
        if (pools.size() > 1)
            gpus.mistake("of which pool is not said",
                         fmt::format("the fleet has {}", pools.size()),
                         fmt::format("write it by pool, such as `{{{}: 8}}`", pools.front()));
        return;
    }
    for (const Pair& pair : gpus.node().pairs)
        if (std::ranges::find(pools, pair.key.text) == pools.end())
            gpus.member(pair.key.text, pair.key)
                .mistake(in_quotes(pair.key.text) + " is not a pool of the fleet",
                         {},
                         suggestion(pair.key.text, pools));
}

/// `measure` lies within the run. Needs values that were read.
void check_horizon(const Reader& at, const Scenario& scenario) {
    const std::optional<Reader> measure = at.find("measure");
    if (!measure || !scenario.until)
        return;
    if (scenario.measure_from >= *scenario.until)
        measure->mistake("nothing is measured", "it begins after `until`");
    else if (scenario.measure_to && *scenario.measure_to > *scenario.until)
        measure->mistake("the measured time is longer than the run", "it ends after until");
}

void warn_about_seeds(const Reader& at, Scenario& scenario) {
    const std::optional<Reader> repeat = at.find("repeat");
    const std::optional<Reader> seeds = repeat ? repeat->find("seeds") : std::nullopt;
    if (seeds && scenario.seeds > 1 && !is_random(scenario))
        scenario.warnings.push_back(seeds->finding(
            fmt::format("nothing in this scenario is random: all {} seeds give the same result",
                        scenario.seeds),
            "the jobs, their order and all events are given",
            "remove repeat.seeds"));
}

void warn_about_placement(const Reader& at, Scenario& scenario) {
    const std::optional<Reader> policy = at.find("policy");
    const std::optional<Reader> placement = policy ? policy->find("placement") : std::nullopt;
    if (placement && scenario.policy.capacity == "count")
        scenario.warnings.push_back(
            placement->finding("has no effect",
                               "under capacity count gangs are not placed on nodes",
                               "remove it, or set capacity to nodes"));
}

/// The values of `locality.KEY` of all classes, if `capacity` counts GPUs without placing gangs on
/// nodes.
std::vector<Reader>
levels_without_places(const Reader& at, const Scenario& scenario, std::string_view key) {
    std::vector<Reader> levels;
    if (scenario.policy.capacity != "count")
        return levels;
    const std::optional<Reader> workload = at.find("workload");
    for (const Reader& job_class : elements(workload->find("classes"))) {
        const std::optional<Reader> locality = job_class.find("locality");
        if (const auto level = locality ? locality->find(key) : std::nullopt)
            levels.push_back(*level);
    }
    return levels;
}

void check_levels(const Reader& at, const Scenario& scenario) {
    for (const Reader& level : levels_without_places(at, scenario, "require"))
        level.mistake("needs nodes, and capacity is count",
                      "gangs are not placed on nodes",
                      "set policy.capacity to nodes");
}

void check_slow_nodes(const Reader& at, const Scenario& scenario) {
    if (scenario.policy.capacity != "count")
        return;
    for (const Reader& pool : elements(at.find("fleet")))
        if (pool.find("stragglers"))
            pool.mistake_at("stragglers",
                            "needs nodes, and capacity is count",
                            "gangs are not placed on nodes",
                            "set policy.capacity to nodes");
}

void warn_about_levels(const Reader& at, Scenario& scenario) {
    for (const Reader& level : levels_without_places(at, scenario, "prefer"))
        scenario.warnings.push_back(
            level.finding("has no effect",
                          "under capacity count gangs are not placed on nodes",
                          "remove it, or set policy.capacity to nodes"));
}

void warn_about_tenants(const Reader& at, Scenario& scenario) {
    const std::optional<Reader> tenants = at.find("tenants");
    if (tenants && scenario.policy.allocator != Quotas::name)
        scenario.warnings.push_back(tenants->finding(
            "has no effect", "only `allocator: quotas` keeps quotas", "set it, or remove this"));
}

void warn_about_power(const Reader& at, Scenario& scenario) {
    for (const Reader& pool : elements(at.find("fleet"))) {
        const std::optional<Reader> owned = pool.find("owned");
        const std::optional<Reader> power = owned ? owned->find("power") : std::nullopt;
        if (power && !owned->find("electricity") && !owned->find("colo"))
            scenario.warnings.push_back(power->finding(
                "has no effect", "it multiplies electricity and colo, and neither is given"));
    }
}

/// Warns of keys without effect on pools whose nodes are always up. at: the scenario.
void warn_about_nodes(const Reader& at, Scenario& scenario) {
    const std::vector<Reader> pools = elements(at.find("fleet"));
    for (std::size_t i = 0; i < pools.size(); ++i) {
        const PoolSpec& pool = scenario.fleet[i];
        for (const std::string_view key : {"boot", "idle_timeout", "provisioning"})
            if (const std::optional<Reader> unused = pools[i].find(key);
                unused && !pool.has_range() && !(pool.availability && key == "boot"))
                scenario.warnings.push_back(
                    unused->finding("has no effect",
                                    "a number of nodes is there all the time",
                                    "write nodes as a range, such as 0..16"));
    }
}

/// Notes of the readers of price files, once for pools that share a file; and prices for another
/// purchase than the pool's.
void warn_about_prices(const Reader& at, Scenario& scenario) {
    const std::vector<Reader> written = elements(at.find("fleet"));
    std::set<std::string> seen;
    for (std::size_t i = 0; i < scenario.fleet.size(); ++i) {
        const PoolSpec& pool = scenario.fleet[i];
        const bool is_like = pool.drawn_price && pool.drawn_price->like;
        if ((!pool.file_price && !is_like) || pool.nodes == 0)
            continue;
        for (const Finding& note : is_like ? pool.drawn_price->notes : pool.file_price->notes)
            if (seen.insert(note.text()).second)
                scenario.warnings.push_back(note);
        const std::string& purchase =
            is_like ? pool.drawn_price->like->offer.purchase : pool.file_price->offer.purchase;
        const bool is_spot = pool.purchase == Purchase::spot;
        if (!purchase.empty() && is_spot != (purchase == "spot"))
            scenario.warnings.push_back(written[i].find("price")->finding(
                fmt::format("prices of purchase {}", purchase),
                fmt::format("the pool is {}spot capacity", is_spot ? "" : "not ")));
    }
}

/// Whether `wide` takes every gang size that `narrow` does.
bool covers(const CountRange& wide, const CountRange& narrow) {
    constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();
    return wide.min.value_or(1) <= std::max<std::int64_t>(1, narrow.min.value_or(1)) &&
           wide.max.value_or(no_end) >= narrow.max.value_or(no_end);
}

/// The same for names; an empty list takes all.
bool covers(const std::vector<std::string>& wide, const std::vector<std::string>& narrow) {
    const auto among_wide = [&](const std::string& name) {
        return std::ranges::find(wide, name) != wide.end();
    };
    return wide.empty() || (!narrow.empty() && std::ranges::all_of(narrow, among_wide));
}

bool covers(const ClassMatch& wide, const ClassMatch& narrow) {
    return covers(wide.tenants, narrow.tenants) && covers(wide.names, narrow.names) &&
           covers(wide.classes, narrow.classes) &&
           covers(wide.gpus.value_or(CountRange{}), narrow.gpus.value_or(CountRange{}));
}

/// Warns of classes that get no job because an earlier class takes them all.
void warn_about_classes(const Reader& at, Scenario& scenario) {
    const std::optional<Reader> workload = at.find("workload");
    const std::vector<Reader> written = elements(workload->find("classes"));
    const auto match = [&](std::size_t i) {
        return scenario.classes[i].match.value_or(ClassMatch{});
    };
    for (std::size_t late = 1; late < scenario.classes.size(); ++late)
        for (std::size_t early = 0; early < late; ++early) {
            if (!covers(match(early), match(late)))
                continue;
            scenario.warnings.push_back(written[late].finding(
                "no job reaches this class",
                fmt::format("workload.classes[{}] takes all its jobs", early)));
            break;
        }
}

/// Warns of jobs that may fail and save only when they are stopped.
void warn_about_saving(const Reader& at, Scenario& scenario) {
    const auto loses_all = [&](const ClassSpec& spec) {
        const auto fails = [&](const PoolSpec& pool) {
            return pool.failures && covers(spec.pools, {pool.name});
        };
        return !spec.checkpoint && (spec.failures || spec.overflow_restarts > 0 ||
                                    std::ranges::any_of(scenario.fleet, fails));
    };
    const Reader workload = *at.find("workload");
    const std::vector<Reader> written = elements(workload.find("classes"));
    for (std::size_t i = 0; i < std::max<std::size_t>(scenario.classes.size(), 1); ++i)
        if (loses_all(scenario.classes.empty() ? ClassSpec{} : scenario.classes[i]))
            scenario.warnings.push_back(
                (written.empty() ? workload : written[i])
                    .finding("jobs that fail, or whose nodes fail, lose all their work",
                             "without `checkpoint` a job saves only as it is stopped",
                             "say when they save"));
}

} // namespace

void check_across(const Reader& at, const Scenario& scenario) {
    const std::vector<std::string> pools = check_pool_names(at);
    if (const std::optional<Reader> workload = at.find("workload")) {
        const std::vector<Reader> classes = elements(workload->find("classes"));
        check_class_order(classes);
        check_class_names(classes);
        for (const Reader& job_class : classes)
            check_named_pools(job_class, pools);
    }
    for (const Reader& quota : elements(at.find("quotas")))
        check_named_pools(quota, pools);
    for (const Reader& tenant : elements(at.find("tenants")))
        for (const char* key : {"nominal", "borrow_limit", "lend_limit"})
            if (const std::optional<Reader> gpus = tenant.find(key))
                check_pool_gpus(*gpus, pools);
    if (at.num_mistakes() == 0) {
        check_commitments(at, scenario);
        check_egress(at, scenario);
        check_nodes(at, scenario);
        check_migration(at, scenario);
        check_broker(at, scenario);
        check_packing(at, scenario);
        check_tenants(at, scenario);
        check_horizon(at, scenario);
        check_slow_nodes(at, scenario);
        check_levels(at, scenario);
    }
}

void add_warnings(const Reader& at, Scenario& scenario) {
    warn_about_seeds(at, scenario);
    warn_about_tenants(at, scenario);
    warn_about_placement(at, scenario);
    warn_about_levels(at, scenario);
    warn_about_power(at, scenario);
    warn_about_nodes(at, scenario);
    warn_about_classes(at, scenario);
    warn_about_prices(at, scenario);
    warn_about_saving(at, scenario);
}

}} // namespace bursar::scenarios
