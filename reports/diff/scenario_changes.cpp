#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "reports/bill/fleet.hpp"
#include "reports/diff/result_diff.hpp"
#include "reports/rounding/printed_units.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Settings of something, each with its name.
using Settings = std::vector<std::pair<std::string, std::string>>;

void add_changes(const std::string& of,
                 const Settings& base,
                 const Settings& fresh,
                 std::vector<ScenarioChange>& changes) {
    for (std::size_t i = 0; i < base.size(); ++i)
        if (base[i].second != fresh[i].second)
            changes.push_back({of + base[i].first, base[i].second, fresh[i].second});
}

std::string nodes_asked(const ResultPool& pool) {
    if (!pool.has_range())
        return fmt::format("{}", pool.num_nodes);
    return fmt::format("{}..{}", pool.nodes->min, pool.num_nodes);
}

/// The price of a pool in its scenario: the lowest and the highest where it varies.
std::string price_asked(const Result& result, const ResultPool& pool) {
    if (const auto rate = pool.price.rate())
        return rate_text(*rate) + " USD";
    const PriceRange range = pool.price.range({}, result.end);
    return fmt::format("{} to {} USD", rate_text(range.min), rate_text(range.max));
}

std::string energy_asked(const ResultPool& pool) {
    if (!pool.energy)
        return "";
    const PlanEnergy& energy = *pool.energy;
    return fmt::format("{} to {} W, PUE {}{}{}",
                       grouped_text(divide_half_up(energy.idle.count(), 1000), 0),
                       grouped_text(divide_half_up(energy.busy.count(), 1000), 0),
                       grouped_text(divide_half_up(energy.pue_milli, 10), 2),
                       energy.grid_name.empty() ? "" : ", grid ",
                       energy.grid_name);
}

Settings settings_of(const Result& result, std::size_t place) {
    const ResultPool& pool = result.pools[place];
    return {
        {"purchase", std::string{purchase_titles[static_cast<std::size_t>(pool.purchase)]}},
        {"gpu", pool.gpu},
        {"nodes", nodes_asked(pool)},
        {"gpus_per_node", fmt::format("{}", pool.gpus_per_node)},
        {"region", pool.region},
        {"price of a GPU-hour", price_asked(result, pool)},
        {"price from", place < result.run.price_basis.size() ? result.run.price_basis[place] : ""},
        {"energy of a GPU", energy_asked(pool)}};
}

/// "60 x 8 V100-SXM2-16GB, owned, 0.95 USD".
std::string outline(const Result& result, const ResultPool& pool) {
    return fmt::format("{} x {} {}, {}, {}",
                       nodes_asked(pool),
                       pool.gpus_per_node,
                       pool.gpu,
                       purchase_titles[static_cast<std::size_t>(pool.purchase)],
                       price_asked(result, pool));
}

void add_pools(const Result& base, const Result& fresh, std::vector<ScenarioChange>& changes) {
    const auto place_in = [](const Result& result, const std::string& name) {
        return static_cast<std::size_t>(std::ranges::find(result.pools, name, &ResultPool::name) -
                                        result.pools.begin());
    };
    for (std::size_t i = 0; i < base.pools.size(); ++i) {
        const std::string& name = base.pools[i].name;
        const bool is_in_place = i < fresh.pools.size() && fresh.pools[i].name == name;
        const std::size_t other = is_in_place ? i : place_in(fresh, name);
        if (other == fresh.pools.size()) {
            changes.push_back({"pool " + name, outline(base, base.pools[i]), ""});
            continue;
        }
        const std::size_t before = changes.size();
        add_changes(fmt::format("pool {}: ", name),
                    settings_of(base, i),
                    settings_of(fresh, other),
                    changes);
        if (changes.size() == before && base.pools[i].price != fresh.pools[other].price)
            changes.push_back({fmt::format("pool {}: prices over time", name), "these", "others"});
    }
    for (const ResultPool& pool : fresh.pools)
        if (place_in(base, pool.name) == base.pools.size())
            changes.push_back({"pool " + pool.name, "", outline(fresh, pool)});
}

std::string jobs_outline(const Result& result) {
    const JobColumns& jobs = result.jobs;
    const std::int64_t last_ms =
        jobs.submit_ms.empty() ? 0 : *std::ranges::max_element(jobs.submit_ms);
    const std::uint64_t gpus =
        std::accumulate(jobs.gpus.begin(), jobs.gpus.end(), std::uint64_t{0});
    return fmt::format("{} of {} tenants, {} GPUs each on average, submitted over {}",
                       grouped_text(static_cast<int128>(jobs.size()), 0),
                       result.tenants.size(),
                       jobs.size() == 0
                           ? "0"
                           : grouped_text(divide_half_up(static_cast<int128>(gpus) * 10,
                                                         static_cast<int128>(jobs.size())),
                                          1),
                       span_text(Duration{last_ms}));
}

void add_jobs(const Result& base, const Result& fresh, std::vector<ScenarioChange>& changes) {
    if (have_same_jobs(base, fresh))
        return;
    std::string of_base = jobs_outline(base);
    std::string of_fresh = jobs_outline(fresh);
    if (of_base == of_fresh)
        of_fresh = "others that look like them";
    changes.push_back({"workload: jobs", std::move(of_base), std::move(of_fresh)});
}

std::string budgets_outline(const Result& result) {
    std::string text;
    for (const ResultBudget& budget : result.run.budgets)
        text +=
            fmt::format("{}{}{}{} USD per {}{}{}, {}",
                        text.empty() ? "" : "; ",
                        budget.name,
                        budget.name.empty() ? "" : ": ",
                        grouped_text(divide_half_up(budget.limit.count(), money_per_usd / 100), 2),
                        budget.is_monthly ? "month" : "run",
                        budget.pool ? " of pool " + result.pools[*budget.pool].name : "",
                        budget.tenant ? " of " + result.tenants[*budget.tenant] : "",
                        budget_action_names[static_cast<std::size_t>(budget.action)]);
    return text;
}

Settings policy_of(const Result& result) {
    Settings settings;
    for (const PolicyLabel& label : policy_labels)
        settings.emplace_back(label.name, result.run.policy.*label.text);
    return settings;
}

/// What the scenario says of the run as a whole.
Settings run_of(const Result& result) {
    const auto instant = [&](Duration time) { return readable_instant(result.zero_utc_ms, time); };
    return {{"budgets", budgets_outline(result)},
            {"begin", result.zero_utc_ms ? instant({}) : "no date"},
            {"measured from", instant(result.measure_from)},
            {"measured to", result.measure_to ? instant(*result.measure_to) : "the end"},
            {"seed", fmt::format("{}", result.run.seed)},
            {"seeds", result.repeats ? fmt::format("{}", result.repeats->n) : "1"},
            {"bursar", result.run.version}};
}

/// Lines that only one of them has.
void add_lines(std::string_view what,
               const std::vector<std::string>& base,
               const std::vector<std::string>& fresh,
               std::vector<ScenarioChange>& changes) {
    const auto only_in = [](const auto& some, const auto& others) {
        std::vector<std::string> lines;
        for (const std::string& line : some)
            if (std::ranges::find(others, line) == others.end())
                lines.push_back(line);
        return lines;
    };
    for (const std::string& line : only_in(base, fresh))
        changes.push_back({std::string{what}, line, ""});
    for (const std::string& line : only_in(fresh, base))
        changes.push_back({std::string{what}, "", line});
}

} // namespace

bool have_same_jobs(const Result& base, const Result& fresh) {
    const JobColumns& a = base.jobs;
    const JobColumns& b = fresh.jobs;
    return a.size() == b.size() && a.names == b.names && a.name_end == b.name_end &&
           a.gpus == b.gpus && a.gpu_slots == b.gpu_slots && a.submit_ms == b.submit_ms &&
           a.tenant == b.tenant && base.tenants == fresh.tenants;
}

std::vector<ScenarioChange> scenario_changes(const Result& base, const Result& fresh) {
    std::vector<ScenarioChange> changes;
    if (base.run.scenario_name != fresh.run.scenario_name)
        changes.push_back({"name", base.run.scenario_name, fresh.run.scenario_name});
    add_jobs(base, fresh, changes);
    add_pools(base, fresh, changes);
    add_changes("policy.", policy_of(base), policy_of(fresh), changes);
    add_changes("", run_of(base), run_of(fresh), changes);
    add_lines("assumed", base.run.decisive, fresh.run.decisive, changes);
    add_lines("assumed", base.run.assumed, fresh.run.assumed, changes);
    add_lines("not modelled", base.run.unmodelled, fresh.run.unmodelled, changes);
    if (changes.empty() && base.run.scenario_hash != fresh.run.scenario_hash)
        changes.push_back({"scenario, in what results do not keep",
                           hash_text(base.run.scenario_hash),
                           hash_text(fresh.run.scenario_hash)});
    return changes;
}

}} // namespace bursar::reports
