#include "scenarios/keys/fleet/fleet_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

void check_retries(const Reader& at, LaunchFailureSpec& spec, const KeysRead& keys) {
    if (keys.good("stretch") && spec.law.bucket < second)
        at.mistake_at("stretch", "is shorter than 1 s");
    if (keys.good("retry") && keys.good("max_retry") && spec.max_retry < spec.retry)
        at.mistake_at(at.find("max_retry") ? "max_retry" : "retry",
                      "the longest wait is shorter than the first");
}

Table<LaunchFailureSpec> launch_failures_table() {
    using T = LaunchFailureSpec;
    return table<T, check_retries>({
        {required(
             "share", within(&T::law, &LaunchFailures::share), NumberRule{0, Bound::excluded, 1}),
         "share of the time in which launches fail"},
        {optional("stretch", within(&T::law, &LaunchFailures::bucket), duration(Zero::refused)),
         "all launches of such a stretch of time fail, or none; "
         "default 1 h"},
        {optional("retry", &T::retry, duration(Zero::refused)),
         "until a launch that failed is tried again, and twice as long "
         "after each failure in a row; default 30 s"},
        {optional("max_retry", &T::max_retry, duration(Zero::refused)),
         "up to here; default 15 min"},
    });
}

} // namespace

std::vector<Key<PoolSpec>> launch_keys() {
    return {Key<PoolSpec>{
        optional("launch_failures", &PoolSpec::launch_failures, launch_failures_table()),
        "of a pool whose nodes are launched: how often a launch does not come up; "
        "default: never"}};
}

void check_launch_failures(const Reader& at, const PoolSpec& pool, const KeysRead& keys) {
    if (const auto failures = at.find("launch_failures");
        failures && keys.good("nodes") && keys.good("availability") && !pool.launches())
        failures->mistake("no node of this pool is launched",
                          "they are there all the time",
                          "write nodes as a range, such as 0..16");
}

Table<QuotaSpec> quota_keys() {
    return table<QuotaSpec>(
               {
                   {optional("pools", &QuotaSpec::pools, one_or_list_of(identifier())),
                    "pools that share it; this or region"},
                   {optional("region", &QuotaSpec::region, text()),
                    "all pools of a region share it"},
                   {required("nodes", &QuotaSpec::nodes, whole_number(1, max_nodes_of_pool)),
                    "the most nodes that they have together"},
               })
        .exactly_one_of({"pools", "region"})
        .check([](const Reader& at, QuotaSpec& quota, const KeysRead&) {
            quota.place = at.node().place();
        });
}

}} // namespace bursar::scenarios
