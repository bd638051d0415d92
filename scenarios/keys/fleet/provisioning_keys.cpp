#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "scenarios/calendar/calendar.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/keys/fleet/fleet_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/scenario/fleet_spec.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::uint8_t every_day = 0b111'1111;
constexpr std::array<std::pair<std::string_view, std::uint8_t>, 9> day_names{
    {{"mon", 1U << 0U},
     {"tue", 1U << 1U},
     {"wed", 1U << 2U},
     {"thu", 1U << 3U},
     {"fri", 1U << 4U},
     {"sat", 1U << 5U},
     {"sun", 1U << 6U},
     {"weekdays", 0b1'1111},
     {"weekend", 0b110'0000}}};

/// Days of the week, by name or by the part of the week.
struct DaysRule {
    using value_type = std::uint8_t;

    static auto names() {
        std::vector<std::string> all;
        for (const auto& [name, bits] : day_names)
            all.emplace_back(name);
        return one_or_list_of(one_of(std::move(all)));
    }
    [[nodiscard]] std::optional<std::uint8_t> read(const Reader& at) const {
        const auto days = names().read(at);
        if (!days)
            return std::nullopt;
        std::uint8_t bits = 0;
        for (const auto& [name, of_name] : day_names)
            if (std::ranges::find(*days, name) != days->end())
                bits |= of_name;
        return bits;
    }
    [[nodiscard]] Schema schema() const { return names().schema(); }
};

void check_hours(const Reader& at, ScheduledHours& row, const KeysRead& keys) {
    if (keys.good("days") && !at.find("days"))
        row.days = every_day;
    if (keys.good("from") && keys.good("to") && row.from >= row.to)
        at.mistake_at(at.find("to") ? "to" : "from",
                      "these hours are empty",
                      "they end where they begin, or before",
                      "hours through midnight take two rows");
}

Table<ScheduledHours> hours_keys() {
    using T = ScheduledHours;
    return table<T, check_hours>({
        {optional("days", &T::days, DaysRule{}),
         "days of the week, one or a list; default: every day"},
        {optional("from", &T::from, whole_number(0, 23)),
         "hour of the day at which they begin; default 0"},
        {optional("to", &T::to, whole_number(1, 24)), "hour at which they end; default 24"},
        {required("nodes", &T::nodes, whole_number(0, max_nodes_of_pool)),
         "nodes that the pool has at least in these hours"},
    });
}

/// The keys of a schedule of nodes.
Table<ScheduleSpec> schedule_keys() {
    return table<ScheduleSpec>({
        {optional("zone", &ScheduleSpec::zone, ClockZoneRule{}),
         "zone of the hours: UTC, an offset such as +08:00, or a name such as "
         "Europe/Berlin; default UTC"},
        {required("hours", &ScheduleSpec::rows, list_of(hours_keys())),
         "hours of the week with a least number of nodes of their own; where several "
         "hold, the largest"},
    });
}

bool is_range(const Node& node) {
    return node.kind == NodeKind::scalar && node.text.find("..") != std::string::npos;
}

/// A range of nodes, both ends given.
std::optional<CountRange> read_range(const Reader& at) {
    const std::optional<CountRange> range = count_range().read(at);
    if (!range)
        return std::nullopt;
    if (!range->min || !range->max)
        return at.mistake(in_quotes(at.node().text) + " has an open end",
                          "a pool has a least and a largest number of nodes",
                          "write it as 0..16");
    if (*range->max > max_nodes_of_pool)
        return at.mistake(fmt::format("{} nodes", *range->max),
                          fmt::format("at most {}", max_nodes_of_pool));
    if (*range->max == 0)
        return at.mistake("a range of no nodes", {}, "0 leaves the pool out");
    return range;
}

/// A number of nodes, 0 to leave the pool out, or a range of them.
Key<PoolSpec> nodes_key() {
    const WholeNumberRule number = whole_number(0, max_nodes_of_pool);
    return {
        {"nodes",
         Presence::required,
         [number](const Reader& at, PoolSpec& pool) {
             if (!is_range(at.node())) {
                 pool.nodes = number.read(at).value_or(0);
             } else if (const std::optional<CountRange> range = read_range(at)) {
                 pool.min_nodes = range->min;
                 pool.nodes = *range->max;
             }
         },
         [number] {
             const Schema range{{"type", "string"}, {"pattern", "^[0-9]{1,7}[.]{2}[0-9]{1,7}$"}};
             return Schema{{"anyOf", {number.schema(), range}}};
         }},
        "number of nodes, which are there all the time; 0 leaves the pool out; a range, as in "
        "0..16: nodes are launched as waiting jobs need them, and end when unused"};
}

/// A duration, or a mapping that gives its mean and its distribution.
struct BootRule {
    using value_type = BootSpec;

    static Table<BootSpec> mapping() {
        return table<BootSpec>({
            {required("mean", &BootSpec::mean, duration(Zero::refused)), "mean time of a boot"},
            {required("distribution",
                      &BootSpec::is_exponential,
                      ChoiceRule<bool>{{{"fixed", false}, {"exponential", true}}}),
             "fixed: all take the mean; exponential: drawn by the seed"},
        });
    }
    [[nodiscard]] std::optional<BootSpec> read(const Reader& at) const {
        if (at.node().kind == NodeKind::mapping)
            return mapping().read(at);
        const std::optional<Duration> mean = duration().read(at);
        return mean ? std::optional{BootSpec{*mean, false}} : std::nullopt;
    }
    [[nodiscard]] Schema schema() const {
        return {{"anyOf", {duration().schema(), mapping().schema()}}};
    }
};

void check_provisioning(const Reader& at, ProvisioningSpec& spec, const KeysRead& keys) {
    if (keys.good("at_once") && spec.at_once && !at.find("every"))
        at.mistake_at("at_once", "needs `every`", "else the rest is launched a moment later");
    if (keys.good("schedule") && keys.good("predictive") && !spec.follows_queue && !spec.moves())
        at.mistake_at("queue", "needs `schedule` or `predictive`", "else no node is ever launched");
}

Table<ProvisioningSpec> provisioning_keys() {
    return table<ProvisioningSpec>(
               {
                   {optional("start", &ProvisioningSpec::start, whole_number(0, max_nodes_of_pool)),
                    "nodes that are up when the run begins; default: the least number"},
                   {optional("warm", &ProvisioningSpec::warm, whole_number(0, max_nodes_of_pool)),
                    "nodes kept idle beside what waiting jobs need; default 0"},
                   {optional("every", &ProvisioningSpec::every, duration(Zero::refused)),
                    "nodes are launched at its multiples only; default: at any time"},
                   {optional(
                        "at_once", &ProvisioningSpec::at_once, whole_number(1, max_nodes_of_pool)),
                    "nodes launched at one time; default: any number"},
                   {optional("cancel_boots", &ProvisioningSpec::cancel_boots, yes_or_no()),
                    "whether a boot is cancelled when no job waits for it any more; "
                    "default no"},
                   {optional("queue", &ProvisioningSpec::follows_queue, yes_or_no()),
                    "whether nodes are launched for waiting jobs; default yes"},
                   {optional("schedule", &ProvisioningSpec::schedule, schedule_keys()),
                    "the least number of nodes by the hour of the week"},
                   {optional("predictive",
                             &ProvisioningSpec::predictive,
                             NumberRule{0, Bound::excluded, 100}),
                    "the least number of nodes: this factor times the need of the same "
                    "hour a week before needed"},
               })
        .at_most_one_of({"schedule", "predictive"})
        .check(check_provisioning);
}

/// at: its rows.
void check_schedule(const Reader& at, const PoolSpec& pool, const ScheduleSpec& schedule) {
    for (std::size_t i = 0; i < schedule.rows.size(); ++i)
        if (schedule.rows[i].nodes < *pool.min_nodes || schedule.rows[i].nodes > pool.nodes)
            at.element(i).mistake_at("nodes", "is not in the range of nodes");
}

} // namespace

std::vector<Key<PoolSpec>> node_keys() {
    return {nodes_key(),
            {optional("boot", &PoolSpec::boot, BootRule{}),
             "of a range: time from the launch of a node until it takes work; default 0"},
            {optional("idle_timeout", &PoolSpec::idle_timeout, duration()),
             "of a range: a node ends when it was not needed for this long; default 10 min"},
            {optional("provisioning", &PoolSpec::provisioning, provisioning_keys()),
             "of a range: how nodes are launched"}};
}

void check_nodes_of_pool(const Reader& at, const PoolSpec& pool, const KeysRead& keys) {
    if (!keys.good("nodes"))
        return;
    if (!pool.min_nodes)
        return;
    if (keys.good("purchase") && pool.purchase != Purchase::on_demand &&
        pool.purchase != Purchase::spot)
        at.mistake_at("nodes",
                      "a range of nodes that are paid for all the time",
                      "owned and reserved nodes cost the same when they are off",
                      "give the number of nodes");
    const auto provisioning = at.find("provisioning");
    if (!keys.good("provisioning") || !provisioning)
        return;
    const std::int64_t start = pool.provisioning.start.value_or(*pool.min_nodes);
    if (start < *pool.min_nodes || start > pool.nodes)
        provisioning->mistake_at("start", "is not in the range of nodes");
    if (const auto& schedule = pool.provisioning.schedule)
        check_schedule(*provisioning->find("schedule")->find("hours"), pool, *schedule);
}

}} // namespace bursar::scenarios
