#include "reports/bill/spend_curve.hpp"

#include <algorithm>
#include <utility>

#include "reports/result/result_attempt.hpp"

namespace bursar { inline namespace reports {
namespace {

/// The first of the integers in (low, high] that `holds`, which does of `high`, and from it on of
/// all.
template <class Holds>
std::int64_t first_that(std::int64_t low, std::int64_t high, const Holds& holds) {
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (holds(middle) ? high : low) = middle;
    }
    return high;
}

} // namespace

SpendCurve SpendCurve::of_time(const Result& result) {
    static const PoolPrice slot_ms{MoneyRate{1}};
    return of_pools_at(result, std::nullopt, &slot_ms);
}

SpendCurve SpendCurve::of_pools(const Result& result, std::optional<std::uint32_t> pool) {
    return of_pools_at(result, pool, nullptr);
}

SpendCurve SpendCurve::of_pools_at(const Result& result,
                                   std::optional<std::uint32_t> pool,
                                   const PoolPrice* price) {
    SpendCurve curve;
    const TimelineColumns& rows = result.timeline;
    for (std::uint32_t p = 0; p < result.pools.size(); ++p) {
        if (pool && *pool != p)
            continue;
        const ResultPool& of = result.pools[p];
        std::vector<Change> changes{{0, of.num_gpus() * slots_per_gpu}};
        std::int64_t off = 0;
        for (std::size_t row = 0; row < rows.off_slots.size(); ++row) {
            if (rows.pool[row] != p || rows.off_slots[row] == off)
                continue;
            changes.push_back({rows.time_ms[row], off - rows.off_slots[row]});
            off = rows.off_slots[row];
        }
        curve.add(price == nullptr ? of.price : *price, std::move(changes));
    }
    return curve;
}

SpendCurve SpendCurve::of_nodes(const Result& result, const std::vector<PaidNodes>& paid) {
    std::vector<std::vector<Change>> changes(result.pools.size());
    for (const PaidNodes& some : paid) {
        const std::int64_t slots =
            some.nodes * result.pools[some.pool].gpus_per_node * slots_per_gpu;
        changes[some.pool].push_back({some.begin_ms, slots});
        changes[some.pool].push_back({some.end_ms, -slots});
    }
    return of_changes(result, std::move(changes));
}

SpendCurve SpendCurve::of_tenant(const Result& result, std::uint32_t tenant) {
    const JobColumns& jobs = result.jobs;
    std::vector<std::vector<Change>> changes(result.pools.size());
    for_each_attempt(result, [&](const ResultAttempt& attempt) {
        if (jobs.tenant[attempt.job] != tenant)
            return;
        changes[attempt.pool].push_back({attempt.start.count(), attempt.slots});
        changes[attempt.pool].push_back({attempt.end.count(), -attempt.slots});
    });
    return of_changes(result, std::move(changes));
}

SpendCurve SpendCurve::of_changes(const Result& result, std::vector<std::vector<Change>> by_pool) {
    SpendCurve curve;
    for (std::size_t p = 0; p < by_pool.size(); ++p)
        curve.add(result.pools[p].price, std::move(by_pool[p]));
    return curve;
}

void SpendCurve::add(const PoolPrice& price, std::vector<Change> changes) {
    std::ranges::stable_sort(changes, {}, &Change::time_ms);
    Line line{&price, {{0, 0, {}}}};
    for (const Change& change : changes) {
        const Stretch& last = line.stretches.back();
        Stretch next{change.time_ms, last.slots + change.slots, last.before};
        next.before += price.cost(last.slots, Duration{last.begin_ms}, Duration{change.time_ms});
        if (next.begin_ms == last.begin_ms)
            line.stretches.back() = next;
        else
            line.stretches.push_back(next);
    }
    lines_.push_back(std::move(line));
}

Money SpendCurve::until(Duration t) const {
    Money spent;
    if (t <= Duration{})
        return spent;
    for (const Line& line : lines_) {
        const auto after =
            std::ranges::upper_bound(line.stretches, t.count(), {}, &Stretch::begin_ms);
        const Stretch& now = *std::prev(after);
        spent += now.before + line.price->cost(now.slots, Duration{now.begin_ms}, t);
    }
    return spent;
}

std::optional<Duration> SpendCurve::exceeds(Money limit, Duration begin, Duration end) const {
    if (between(begin, end) <= limit)
        return std::nullopt;
    return Duration{first_that(begin.count(), end.count(), [&](std::int64_t t) {
        return between(begin, Duration{t}) > limit;
    })};
}

std::vector<std::int64_t> SpendCurve::bends() const {
    std::vector<std::int64_t> at;
    for (const Line& line : lines_) {
        for (const Stretch& stretch : line.stretches)
            at.push_back(stretch.begin_ms);
        const auto& steps = line.price->series().start_ms;
        at.insert(at.end(), steps.begin(), steps.end());
    }
    return at;
}

std::optional<Duration> SpendCurve::burns(Money limit, Duration span, Duration end) const {
    if (span > end)
        return std::nullopt;
    const auto is_too_much = [&](std::int64_t t) {
        return between(Duration{t} - span, Duration{t}) > limit;
    };
    // What the last span cost rises and falls in straight lines between these.
    std::vector<std::int64_t> at{span.count(), end.count()};
    for (const std::int64_t bend : bends())
        for (const std::int64_t t : {bend, bend + span.count()})
            at.push_back(std::clamp(t, span.count(), end.count()));
    std::ranges::sort(at);
    if (is_too_much(at.front()))
        return Duration{at.front()};
    for (std::size_t i = 1; i < at.size(); ++i)
        if (is_too_much(at[i]))
            return Duration{first_that(at[i - 1], at[i], is_too_much)};
    return std::nullopt;
}

}} // namespace bursar::reports
