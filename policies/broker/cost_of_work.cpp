#include "policies/broker/cost_of_work.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/reliability/expected_efficiency.hpp"
#include "models/units/int128.hpp"

#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace policies {

namespace {

constexpr auto ms_in_hour = static_cast<double>(hour.count());

} // namespace

std::vector<JobKind> kinds_of(const Plan& plan) {
    const std::size_t num_places = 1 + plan.num_regions();
    const std::size_t order_length = plan.order_length();
    std::vector<JobKind> kinds(num_places);
    std::vector<int128> work_ms(1);
    std::vector<double> squares(1); // in h^2
    std::vector<std::int64_t> num_jobs(1);
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const JobShape& shape = plan.shapes[plan.shape[job]];
        const std::size_t row = shape.order_begin / order_length;
        if (row >= num_jobs.size()) {
            kinds.resize((row + 1) * num_places);
            work_ms.resize(row + 1);
            squares.resize(row + 1);
            num_jobs.resize(row + 1);
        }
        kinds[row * num_places].job_class = plan.job_class[job];
        kinds[row * num_places].gpus = shape.gpus;
        work_ms[row] += plan.work_ms[job];
        const double hours = static_cast<double>(plan.work_ms[job]) / ms_in_hour;
        squares[row] += hours * hours;
        ++num_jobs[row];
    }
    for (std::size_t row = 0; row < num_jobs.size(); ++row) {
        JobKind& kind = kinds[row * num_places];
        if (work_ms[row] > 0) {
            kind.work = Duration{static_cast<std::int64_t>(work_ms[row] / num_jobs[row])};
            // Long jobs are stopped more often than short ones: E[W^2] / 2 E[W].
            const double sum = static_cast<double>(work_ms[row]) / ms_in_hour;
            kind.left = Duration{std::llround(squares[row] / (2 * sum) * ms_in_hour)};
        }
        if (!plan.gang_risks.empty()) {
            const auto first =
                plan.gang_risks.begin() + static_cast<std::ptrdiff_t>(row * plan.pools.size());
            kind.risks.assign(first, first + static_cast<std::ptrdiff_t>(plan.pools.size()));
        }
        for (std::size_t place = 1; place < num_places; ++place) {
            kinds[row * num_places + place] = kind;
            kinds[row * num_places + place].saved_in = static_cast<std::uint8_t>(place);
        }
    }
    return kinds;
}

namespace {

Seconds seconds_of(Duration span) {
    return Seconds{static_cast<double>(span.count()) / 1000};
}

double speed_on(const Plan& plan, const PlanClass& own, std::size_t pool) {
    if (own.speed_row == 0)
        return 1;
    const std::size_t row = (own.speed_row - 1U) * plan.pools.size() + pool;
    const PlanSpeed& speed = plan.speeds[row * plan.num_paces() + plan.num_levels - 1];
    return static_cast<double>(speed.speed) / static_cast<double>(reference_speed);
}

/// Interruptions per hour of a job of a class.
struct RiskOfWork {
    double losing{};    ///< with loss of unsaved work
    double announced{}; ///< announced in time for a save
};

RiskOfWork risk_of(const GangRisk& gang, const PlanClass& own) {
    RiskOfWork risk{gang.failures, 0};
    const bool saves_in_time = saves_at_stop(own.checkpoint, StopCause::reclaimed) &&
                               gang.notice > Duration{} && own.save + own.write <= gang.notice;
    (saves_in_time ? risk.announced : risk.losing) += gang.reclaims;
    const bool saves_before = saves_at_stop(own.checkpoint, StopCause::maintenance);
    (saves_before ? risk.announced : risk.losing) += gang.maintenance;
    return risk;
}

std::optional<Seconds> time_between(double per_hour) {
    return per_hour > 0 ? std::optional{Seconds{3600 / per_hour}} : std::nullopt;
}

} // namespace

double held_per_work_on(const Plan& plan, const JobKind& kind, std::size_t pool) {
    const PlanClass& own = plan.classes[kind.job_class];
    const double speed = speed_on(plan, own, pool);
    if (kind.work == Duration{} || kind.gpus > plan.pools[pool].num_gpus())
        return 1 / speed;
    const RiskOfWork risk = risk_of(kind.risks.empty() ? GangRisk{} : kind.risks[pool], own);
    InterruptedWork work;
    work.work = Seconds{seconds_of(kind.work).count() / speed};
    if (saves_on_the_way(own.checkpoint))
        work.interval = seconds_of(
            Duration{view_of(plan).interval_on(own, PoolId{static_cast<std::uint32_t>(pool)})});
    work.save = seconds_of(own.save);
    work.restart = seconds_of(own.recovery);
    work.mtbf = time_between(risk.losing);
    const double held = held_per_work(work);
    InterruptedWork announced = work; // interruptions with enough notice lose nothing
    announced.interval.reset();
    announced.saves_as_it_ends = true;
    announced.mtbf = time_between(risk.announced);
    return std::min(held * held_per_work(announced) / speed, max_held_per_work);
}

double moving_per_work_to(const Plan& plan, const JobKind& kind, std::size_t pool) {
    if (kind.saved_in == 0 || plan.pool_region[pool] + 1 == kind.saved_in ||
        plan.egress_nano_usd.empty())
        return 0;
    const std::int64_t left_ms = std::max<std::int64_t>(kind.left.count(), 1);
    const double gpu_hours =
        static_cast<double>(left_ms) * kind.gpus / static_cast<double>(hour.count());
    return static_cast<double>(plan.egress_nano_usd[kind.job_class]) / std::max(gpu_hours, 1e-9);
}

WorkCosts costs_of_work(const Plan& plan, const JobKind& kind) {
    WorkCosts costs;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        costs.held.push_back(held_per_work_on(plan, kind, pool));
        costs.moving.push_back(moving_per_work_to(plan, kind, pool));
    }
    return costs;
}

}} // namespace bursar::policies
