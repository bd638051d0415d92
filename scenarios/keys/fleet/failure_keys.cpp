#include <array>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"

#include "scenarios/catalog/failure_rates.hpp"
#include "scenarios/keys/fleet/fleet_keys.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::array<std::string_view, 3> repair_law_names{"exponential", "lognormal", "weibull"};

/// A duration, or a mapping with the distribution of a repair's duration.
struct RepairRule {
    using value_type = RepairTime;

    static void check_heavy_tail(const Reader& at, const RepairTime& repair) {
        try {
            (void)repair.beyond_least();
        } catch (const ModelError&) {
            at.mistake_at(
                "median",
                "is not between the least and the mean",
                "the mean of a heavy tail is above its median, by at most 1e6 times, and at "
                "least 1 s");
        }
    }
    static Table<RepairTime> mapping() {
        return table<RepairTime>(
                   {
                       {optional("least", &RepairTime::least, duration()),
                        "what a repair takes at least; default 0"},
                       {required("mean", &RepairTime::mean, duration(Zero::refused)),
                        "its mean: exponential beyond the least, unless `law`"},
                       {optional("law", &RepairTime::law, choice_of<RepairLaw>(repair_law_names)),
                        "lognormal, weibull: heavy-tailed; default exponential"},
                       {optional("median", &RepairTime::median, duration(Zero::refused)),
                        "half of the repairs take longer; with lognormal and "
                        "weibull, and only then"},
                   })
            .check([](const Reader& at, RepairTime& repair, const KeysRead& keys) {
                for (const char* key : {"least", "mean", "law", "median"})
                    if (!keys.good(key))
                        return;
                const bool heavy = repair.law != RepairLaw::exponential;
                if (repair.mean < repair.least)
                    at.mistake_at("mean", "is below the least");
                else if (heavy != (repair.median > Duration{}))
                    at.mistake(heavy ? "has no median" : "has a median and no heavy-tailed law",
                               {},
                               heavy ? "half of the repairs take longer than it"
                                     : "add law: lognormal or law: weibull");
                else if (heavy && repair.mean == repair.least)
                    at.mistake_at("mean", "is the least", "a heavy tail has times above the least");
                else if (heavy)
                    check_heavy_tail(at, repair);
            });
    }
    [[nodiscard]] std::optional<RepairTime> read(const Reader& at) const {
        if (at.node().kind == NodeKind::mapping)
            return mapping().read(at);
        const std::optional<Duration> time = duration(Zero::refused).read(at);
        return time ? std::optional{RepairTime{*time, *time}} : std::nullopt;
    }
    [[nodiscard]] Schema schema() const {
        return {{"anyOf", {duration(Zero::refused).schema(), mapping().schema()}}};
    }
};

Table<FailureSpec> infancy_keys() {
    return table<FailureSpec>({
        {required("factor",
                  within(&FailureSpec::infancy, &InfantMortality::factor),
                  NumberRule{1, Bound::included, 1e6}),
         "how often a repaired node fails at first, over how often later"},
        {required("fades",
                  within(&FailureSpec::infancy, &InfantMortality::fades),
                  duration(Zero::refused)),
         "time after which 63 % of what is above the later rate is gone"},
    });
}

Table<FailureSpec> bad_node_keys() {
    return table<FailureSpec>({
        {required("spread", &FailureSpec::bad_node_spread, NumberRule{0, Bound::excluded, 10}),
         "standard deviation of the nodes' rates over their mean; the rates are gamma distributed"},
    });
}

Table<FailureSpec> rack_keys() {
    return table<FailureSpec>({
        {required("nodes", &FailureSpec::nodes_per_rack, whole_number(1, max_nodes_of_pool)),
         "nodes of a rack, which fail together; the first nodes are the first rack"},
        {required("per_rack_day",
                  &FailureSpec::per_rack_day,
                  NumberRule{0, Bound::excluded, 24 * max_failures_per_hour}),
         "failures of a rack in a day"},
        {required("repair", &FailureSpec::rack_repair, RepairRule{}), "until its nodes work again"},
    });
}

/// A log of faults, read.
struct FaultLogRule {
    using value_type = std::shared_ptr<const FaultLog>;

    [[nodiscard]] static std::optional<value_type> read(const Reader& at) {
        const std::optional<std::string> path = file().read(at);
        if (!path)
            return std::nullopt;
        try {
            auto log = std::make_shared<const FaultLog>(read_fault_log(*path));
            at.names_content(log->hash);
            return log;
        } catch (const ScenarioError& error) {
            at.mistakes_in_file(error);
        }
        return std::nullopt;
    }
    [[nodiscard]] static Schema schema() { return file().schema(); }
};

/// The keys that go with a log, and those that do not.
void check_log(const Reader& at, FailureSpec& spec, const KeysRead& keys) {
    for (const char* key : {"like",
                            "per_gpu_hour",
                            "per_node_day",
                            "repair",
                            "hangs",
                            "hang_detect",
                            "infancy",
                            "bad_nodes",
                            "racks"})
        if (const auto extra = at.find(key))
            extra->mistake("cannot be combined with `file`", "the log says when nodes fail");
    const auto named = static_cast<std::int64_t>(spec.log->nodes.size());
    if (spec.log_nodes == 0)
        spec.log_nodes = named;
    else if (keys.good("nodes") && spec.log_nodes < named)
        at.mistake_at("nodes", fmt::format("the log names {} nodes", named));
    if (keys.good("from") && spec.log_from.count() >= spec.log->length_ms)
        at.mistake_at("from", "is after the end of the log");
}

void check_failures(const Reader& at, FailureSpec& spec, const KeysRead& keys) {
    if (at.find("file")) {
        if (keys.good("file"))
            check_log(at, spec, keys);
        return;
    }
    for (const char* key : {"nodes", "from"})
        if (const auto unused = at.find(key))
            unused->mistake("needs `file`");
    if (!at.find("repair"))
        at.mistake_at(
            "repair", "missing", "from the notice of a failure until the node takes work again");
    for (const char* key : {"like", "per_gpu_hour", "per_node_day", "racks"})
        if (!keys.good(key))
            return;
    const bool has_rate = spec.per_gpu_hour > 0 || spec.per_node_day > 0;
    if (!at.find("hang_detect"))
        spec.hang_detect = spec.detect;
    if (spec.like.empty() && !has_rate && spec.per_rack_day <= 0) {
        spec.like = builtin_failure_rates().names().front();
        spec.like_by_default = true;
    }
    if (!spec.like.empty() && has_rate)
        at.mistake_at("like", "cannot be combined with a rate of your own");
    if (at.find("hang_detect") && spec.hangs <= 0)
        at.mistake_at("hang_detect", "needs `hangs`", "else no failure is a hang");
}

Table<FailureSpec> failures_table() {
    return table<FailureSpec, check_failures>({
        {optional("like", &FailureSpec::like, one_of(builtin_failure_rates().names())),
         "published rates of nodes, by a name of `bursar catalog failures`; default, without any "
         "other rate: the first"},
        {optional("per_gpu_hour",
                  &FailureSpec::per_gpu_hour,
                  NumberRule{0, Bound::excluded, max_failures_per_hour}),
         "failures of a GPU in an hour, each of which takes its node"},
        {optional("per_node_day",
                  &FailureSpec::per_node_day,
                  NumberRule{0, Bound::excluded, 24 * max_failures_per_hour}),
         "failures of a node in a day, beside those of its GPUs"},
        {optional("repair", &FailureSpec::repair, RepairRule{}),
         "from the notice of a failure until the node takes work again; required unless `file`"},
        {optional("file", &FailureSpec::log, FaultLogRule{}),
         "a log of faults that its nodes repeat, in place of rates"},
        {optional("nodes", &FailureSpec::log_nodes, whole_number(1, max_nodes_of_pool)),
         "nodes that the log covers; default: those that it names"},
        {optional("from", &FailureSpec::log_from, duration()),
         "time in the log at which the run begins; default 0"},
        {optional("detect", &FailureSpec::detect, duration()),
         "until a failure is noticed: its jobs hold their GPUs; default 0"},
        {optional("hangs", &FailureSpec::hangs, NumberRule{0, Bound::excluded, 1}),
         "share of the failures of nodes and GPUs that leave jobs standing "
         "still; default 0"},
        {optional("hang_detect", &FailureSpec::hang_detect, duration()),
         "until a hang is noticed; default: as detect"},
        {section("infancy", Presence::optional, infancy_keys()),
         "repaired nodes fail more often at first; default: they do not"},
        {section("bad_nodes", Presence::optional, bad_node_keys()),
         "some nodes fail more often than others for the whole run; default: all are alike"},
        {section("racks", Presence::optional, rack_keys()),
         "failures that take all nodes of a rack; default none"},
    });
}

/// A maintenance plan as a mapping writes it.
struct WrittenMaintenance {
    std::optional<Duration> first;
    Duration every{};
    Duration length{};
    Duration drain{};
    std::int64_t nodes{};
};

struct MaintenanceRule {
    using value_type = MaintenanceSpec;

    static Table<WrittenMaintenance> mapping() {
        using T = WrittenMaintenance;
        return table<T>({
                            {optional("first", &T::first, duration()),
                             "begin of the first window; default: after `every`"},
                            {required("every", &T::every, duration(Zero::refused)),
                             "from the begin of a window to the next"},
                            {required("length", &T::length, duration(Zero::refused)),
                             "of a window; at most `every`"},
                            {optional("drain", &T::drain, duration()),
                             "for this long before a window its nodes take no new work; "
                             "default 0"},
                            {optional("nodes", &T::nodes, whole_number(1, max_nodes_of_pool)),
                             "nodes of one window, in turn; default: all"},
                        })
            .check([](const Reader& at, T& written, const KeysRead& keys) {
                if (!keys.good("every") || !keys.good("length"))
                    return;
                if (written.length > written.every)
                    at.mistake_at("length", "is longer than `every`");
                else if (keys.good("drain") && keys.good("nodes") && written.nodes == 0 &&
                         written.drain > written.every - written.length)
                    at.mistake_at("drain",
                                  "is longer than from one window to the next",
                                  "nodes under maintenance cannot drain");
            });
    }
    [[nodiscard]] std::optional<MaintenanceSpec> read(const Reader& at) const {
        const std::optional<WrittenMaintenance> written = mapping().read(at);
        if (!written)
            return std::nullopt;
        return MaintenanceSpec{{written->first.value_or(written->every),
                                written->every,
                                written->length,
                                static_cast<std::uint32_t>(written->nodes)},
                               written->drain};
    }
    [[nodiscard]] Schema schema() const { return mapping().schema(); }
};

Table<StragglerSpec> straggler_keys() {
    return table<StragglerSpec>({
        {required("share", &StragglerSpec::share, NumberRule{0, Bound::excluded, 1}),
         "mean share of slow nodes, drawn node by node"},
        {required("slowdown", &StragglerSpec::slowdown, NumberRule{1, Bound::excluded, 1000}),
         "how much longer work takes on a slow node, and in a gang that has one"},
    });
}

Table<SpareSpec> spare_keys() {
    return table<SpareSpec>({
        {required("nodes", &SpareSpec::nodes, whole_number(1, max_nodes_of_pool)),
         "number of spare nodes, the last ones of the pool"},
        {optional("takeover", &SpareSpec::takeover, duration()),
         "until a spare takes work; default 0"},
    });
}

} // namespace

std::vector<Key<PoolSpec>> failure_keys() {
    return {{optional("failures", &PoolSpec::failures, failures_table()),
             "how its nodes fail; default: never"},
            {optional("maintenance", &PoolSpec::maintenance, MaintenanceRule{}),
             "windows in which nodes are out of service and what runs on them is stopped; "
             "default none"},
            {optional("stragglers", &PoolSpec::stragglers, straggler_keys()),
             "nodes that are slow for the whole run; default none"},
            {optional("spares", &PoolSpec::spares, spare_keys()),
             "spare nodes for nodes that go out of service; default none"}};
}

void check_fault_log(const Reader& at, const PoolSpec& pool, const KeysRead& keys) {
    if (!keys.good("nodes") || !keys.good("failures") || !pool.failures || !pool.failures->log ||
        pool.nodes <= pool.failures->log_nodes)
        return;
    at.find("failures")
        ->mistake_at("file",
                     fmt::format("the log covers {} nodes, the pool has {}",
                                 pool.failures->log_nodes,
                                 pool.nodes),
                     {},
                     "`nodes`, next to `file`, is the number that the log covers, with those "
                     "without a fault");
}

void check_stragglers(const Reader& at, const PoolSpec& pool, const KeysRead& keys) {
    const auto stragglers = at.find("stragglers");
    for (const char* key : {"nodes", "availability", "stragglers"})
        if (!stragglers || !keys.good(key))
            return;
    if (pool.launches())
        stragglers->mistake("only for a pool with a number of nodes",
                            "every launch gets another machine");
}

void check_spares(const Reader& at, const PoolSpec& pool, const KeysRead& keys) {
    const auto spares = at.find("spares");
    for (const char* key : {"nodes", "failures", "maintenance", "availability", "spares"})
        if (!spares || !keys.good(key))
            return;
    if (pool.launches())
        spares->mistake("only for a pool with a number of nodes",
                        "other pools launch replacements");
    else if (pool.nodes > 0 && pool.spares->nodes >= pool.nodes)
        spares->mistake_at("nodes", "leaves no node to work");
    else if (!pool.failures && !pool.maintenance)
        spares->mistake("needs `failures` or `maintenance`", "else no node goes out of service");
}

}} // namespace bursar::scenarios
