#include "models/storage/checkpoint_storage.hpp"

#include <algorithm>
#include <cmath>

#include "models/errors/require.hpp"

namespace bursar { inline namespace models {

void check(const StorageTier& tier) {
    require_not_negative((tier.name + ": price per GB and month").c_str(), tier.usd_per_gb_month);
    require_not_negative((tier.name + ": price per GB retrieved").c_str(),
                         tier.usd_per_gb_retrieved);
    require_not_negative((tier.name + ": price per 1000 writes").c_str(), tier.usd_per_1000_writes);
    require_not_negative((tier.name + ": price per 1000 reads").c_str(), tier.usd_per_1000_reads);
    require_not_negative((tier.name + ": price per GB of egress").c_str(), tier.usd_per_gb_egress);
    require_not_negative((tier.name + ": min_days").c_str(), tier.min_days);
}

double egress_usd(const StorageTier& tier, ByteVolume volume) {
    check(tier);
    require_not_negative("size", volume.count());
    return volume.count() / bytes_per_gb * (tier.usd_per_gb_retrieved + tier.usd_per_gb_egress);
}

namespace {

void check(const RetentionPlan& plan) {
    require_positive("size", plan.size.count());
    require_positive("objects", plan.objects);
    if (plan.keep < 1)
        throw ModelError{"keep", "must be one or more", "the last checkpoint is the restart's"};
    check(plan.hot);
    if (plan.cold)
        check(*plan.cold);
}

void check(const RetentionPlan& plan, const StoredRun& run) {
    check(plan);
    require_not_negative("run", run.length.count());
    require_positive("interval", run.between.count());
    require_not_negative("restores", run.restores);
    require_not_negative("cold_restores", run.cold_restores);
    require_not_negative("moved_out", run.moved_out);
    if (run.cold_restores > 0 && !plan.cold)
        throw ModelError{"cold_restores", "there is no cold tier", "name one"};
    if (run.length / run.between > 1e9)
        throw ModelError{"interval", "makes more than a billion checkpoints", ""};
}

/// Charged seconds of `count` objects written `step` apart, the newest `newest` ago, each for at
/// least `min_seconds`: the sum of max(min_seconds, newest + i·step), i < count.
double charged_seconds(double count, Seconds newest, Seconds step, double min_seconds) {
    if (count <= 0)
        return 0;
    const double short_lived =
        std::clamp(std::ceil((min_seconds - newest.count()) / step.count()), 0.0, count);
    const double rest = count - short_lived;
    const double indices = rest * (short_lived + count - 1) / 2; // sum of i from short_lived on
    return short_lived * min_seconds + rest * newest.count() + indices * step.count();
}

double requests_usd(double objects, double usd_per_1000) {
    return objects / 1000 * usd_per_1000;
}

} // namespace

double monthly_usd(const RetentionPlan& plan, std::int64_t count) {
    check(plan);
    require_not_negative("checkpoints", static_cast<double>(count));
    const auto hot = static_cast<double>(std::min(plan.keep, count));
    const double cold = static_cast<double>(count) - hot;
    const double gb = plan.size.count() / bytes_per_gb;
    return gb *
           (hot * plan.hot.usd_per_gb_month + (plan.cold ? cold * plan.cold->usd_per_gb_month : 0));
}

StorageCost run_storage_cost(const RetentionPlan& plan, const StoredRun& run) {
    check(plan, run);
    const double written = std::floor(run.length / run.between);
    const auto keep = static_cast<double>(plan.keep);
    const double hot = std::min(written, keep); // still there at the end
    const double left = written - hot;          // moved or deleted, k intervals after its dump
    const Seconds newest = run.length - run.between * written;
    const double gb = plan.size.count() / bytes_per_gb;
    const double gb_months = gb / seconds_per_month;
    const double min_seconds = plan.hot.min_days * seconds_per_day;
    const double held = charged_seconds(hot, newest, run.between, min_seconds) +
                        left * std::max(min_seconds, keep * run.between.count());
    StorageCost cost;
    cost.checkpoints = static_cast<std::int64_t>(written);
    cost.hot = gb_months * plan.hot.usd_per_gb_month * held;
    cost.requests =
        requests_usd(written * plan.objects, plan.hot.usd_per_1000_writes) +
        requests_usd((run.restores + run.moved_out) * plan.objects, plan.hot.usd_per_1000_reads);
    cost.retrieval = gb * run.restores * plan.hot.usd_per_gb_retrieved;
    cost.egress = egress_usd(plan.hot, plan.size * run.moved_out);
    if (!plan.cold)
        return cost;
    const StorageTier& tier = *plan.cold;
    cost.cold = gb_months * tier.usd_per_gb_month *
                charged_seconds(left, newest, run.between, tier.min_days * seconds_per_day);
    cost.requests += requests_usd(left * plan.objects, plan.hot.usd_per_1000_reads) +
                     requests_usd(left * plan.objects, tier.usd_per_1000_writes) +
                     requests_usd(run.cold_restores * plan.objects, tier.usd_per_1000_reads);
    cost.retrieval +=
        gb * (left * plan.hot.usd_per_gb_retrieved + run.cold_restores * tier.usd_per_gb_retrieved);
    return cost;
}

}} // namespace bursar::models
