#include "tools/simulate/budget_acts.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "sim/plan/plan_view.hpp"

#include "reports/bill/spend_curve.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::int64_t for_good = horizon_ms;

SpendCurve curve_of(const Result& result, const ResultBudget& budget) {
    return budget.tenant ? SpendCurve::of_tenant(result, *budget.tenant)
                         : SpendCurve::of_pools(result, budget.pool);
}

bool is_new(const std::vector<BudgetAct>& before,
            std::size_t budget,
            Duration begin,
            Duration end) {
    return std::ranges::none_of(before, [&](const BudgetAct& act) {
        return act.budget == budget && act.at >= begin && act.at < end;
    });
}

/// The last instant of [begin, end) at which no more than the limit has been spent since `begin`;
/// absent: the limit holds.
std::optional<Duration>
reached_at(const SpendCurve& curve, Money limit, Duration begin, Duration end) {
    const std::optional<Duration> exceeded = curve.exceeds(limit, begin, end);
    return exceeded ? std::optional{*exceeded - millisecond} : std::nullopt;
}

bool is_of(const ResultBudget& budget, std::uint32_t pool, std::uint32_t tenant) {
    return budget.pool ? *budget.pool == pool : !budget.tenant || *budget.tenant == tenant;
}

/// Jobs that hold GPUs until an instant or longer, and began before. Some of them may only save or
/// clean up, or end then. A job that another's start would stop at that instant goes on, as no job
/// starts.
std::vector<JobId>
jobs_that_run(const Result& result, const ResultBudget& budget, std::int64_t at_ms) {
    std::vector<JobId> out;
    const JobColumns& jobs = result.jobs;
    const auto note = [&](std::size_t job, std::uint32_t pool, std::int64_t from, std::int64_t to) {
        if (from < at_ms && at_ms <= to && is_of(budget, pool, jobs.tenant[job]))
            out.push_back(JobId{static_cast<std::uint32_t>(job)});
    };
    const StoppedColumns& stopped = result.stopped;
    for (std::size_t i = 0; i < stopped.size(); ++i)
        note(stopped.job[i], stopped.pool[i], stopped.start_ms[i], stopped.stop_ms[i]);
    for (std::size_t job = 0; job < jobs.size(); ++job)
        if (has_started(jobs.state[job]) && jobs.state[job] != JobState::preempted)
            note(job,
                 jobs.pool[job],
                 jobs.last_start(job),
                 has_finished(jobs.state[job]) ? jobs.finish_ms[job] : for_good);
    std::ranges::sort(out);
    return out;
}

/// A stretch over which a scope admits no job.
struct Stretch {
    std::int64_t begin_ms{};
    std::int64_t end_ms{};
};

/// The stretches of the acts that `concern` a scope, joined where they touch.
template <class Concerns>
std::vector<Stretch> stretches_of(const std::vector<BudgetAct>& acts, const Concerns& concern) {
    std::vector<Stretch> all;
    for (const BudgetAct& act : acts)
        if (concern(act))
            all.push_back({act.at.count(), act.until ? act.until->count() : for_good});
    std::ranges::sort(all, {}, &Stretch::begin_ms);
    std::vector<Stretch> joined;
    for (const Stretch& one : all) {
        if (joined.empty() || joined.back().end_ms < one.begin_ms)
            joined.push_back(one);
        else
            joined.back().end_ms = std::max(joined.back().end_ms, one.end_ms);
    }
    return joined;
}

/// Admission: PoolAdmission or ShapeAdmission, of the pool or shape that closes.
template <class Admission>
void add_stretches(const std::vector<Stretch>& stretches,
                   Admission admission,
                   std::vector<WorldEvent>& world) {
    admission.cause = StopCause::budget;
    for (const Stretch& stretch : stretches) {
        admission.opens = false;
        world.emplace_back(stretch.begin_ms, admission);
        admission.opens = true;
        if (stretch.end_ms < for_good)
            world.emplace_back(stretch.end_ms, admission);
    }
}

bool acts_for(const ResultBudget& budget, std::uint32_t tenant) {
    return budget.tenant == tenant && budget.action != BudgetAction::alert;
}

} // namespace

std::optional<BudgetAct> next_act(const Result& result,
                                  const std::vector<ResultBudget>& budgets,
                                  const std::vector<ResultMonth>& months,
                                  const std::vector<BudgetAct>& before) {
    std::optional<BudgetAct> first;
    for (std::size_t i = 0; i < budgets.size(); ++i) {
        const ResultBudget& budget = budgets[i];
        if (budget.action == BudgetAction::alert)
            continue;
        const SpendCurve curve = curve_of(result, budget);
        const auto look_at = [&](Duration begin, Duration end, std::optional<Duration> until) {
            if (begin >= result.end || !is_new(before, i, begin, end))
                return;
            const auto at = reached_at(curve, budget.limit, begin, std::min(end, result.end));
            if (at && (!first || *at < first->at))
                first = BudgetAct{i, *at, until, {}};
        };
        if (!budget.is_monthly)
            look_at(Duration{}, Duration{for_good}, std::nullopt);
        for (std::size_t month = 0; budget.is_monthly && month < months.size(); ++month)
            look_at(months[month].begin, months[month].end, months[month].end);
    }
    if (first && budgets[first->budget].action == BudgetAction::stop_jobs)
        first->stopped = jobs_that_run(result, budgets[first->budget], first->at.count());
    return first;
}

bool closes_run(const ResultBudget& budget, const BudgetAct& act) {
    return !budget.pool && !budget.tenant && !act.until;
}

bool bar_all_waiting(const std::vector<ResultBudget>& budgets,
                     const std::vector<BudgetAct>& acts,
                     const Plan& plan,
                     const std::vector<JobPhase>& phases) {
    if (acts.empty())
        return false;
    std::uint64_t closed = 0; // pools
    std::vector<bool> is_barred(plan.num_tenants, false);
    for (const BudgetAct& act : acts) {
        const ResultBudget& budget = budgets[act.budget];
        if (act.until)
            continue;
        if (budget.tenant)
            is_barred[*budget.tenant] = true;
        else
            closed |= budget.pool ? std::uint64_t{1} << *budget.pool : ~std::uint64_t{0};
    }
    const bool knows_pools = plan.fallbacks.empty(); // jobs that fall back may use others
    const auto may_use_any = [&](const JobShape& shape) {
        for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
            if (((shape.permitted_pools & ~closed) >> pool & 1U) != 0 &&
                plan.pools[pool].num_gpus() >= std::int64_t{shape.gpus})
                return true;
        return !knows_pools;
    };
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const bool waits = phases[job] == JobPhase::queued || phases[job] == JobPhase::preempted;
        if (waits && !is_barred[plan.tenant[job]] && may_use_any(plan.shapes[plan.shape[job]]))
            return false;
    }
    return !acts.empty();
}

void act_on(const std::vector<ResultBudget>& budgets,
            const std::vector<BudgetAct>& acts,
            Plan& plan) {
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        const auto concerns = [&](const BudgetAct& act) {
            const ResultBudget& budget = budgets[act.budget];
            return !budget.tenant && (!budget.pool || *budget.pool == pool);
        };
        add_stretches(
            stretches_of(acts, concerns), PoolAdmission{.pool = PoolId{pool}}, plan.world);
    }
    std::vector<std::int64_t> tenant_of(plan.shapes.size(), -1);
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        tenant_of[plan.shape[job]] = plan.tenant[job];
    for (std::size_t shape = 0; shape < plan.shapes.size(); ++shape) {
        const auto concerns = [&](const BudgetAct& act) {
            const auto& tenant = budgets[act.budget].tenant;
            return tenant && tenant_of[shape] == std::int64_t{*tenant};
        };
        add_stretches(
            stretches_of(acts, concerns), ShapeAdmission{.shape = ShapeId{shape}}, plan.world);
    }
    for (const BudgetAct& act : acts) {
        for (const JobId job : act.stopped)
            plan.world.emplace_back(act.at.count(),
                                    StopJob{.job = job, .cause = StopCause::budget});
        if (closes_run(budgets[act.budget], act))
            plan.world.emplace_back(act.at.count(), RunCloses{});
    }
    std::ranges::stable_sort(plan.world, {}, &WorldEvent::time_ms);
    plan.admission_changes = !acts.empty();
}

void count_stopped_jobs(Result& result) {
    const StoppedColumns& stopped = result.stopped;
    for (ResultBudget& budget : result.run.budgets)
        for (BudgetStop& stop : budget.stops) {
            stop.num_stopped = 0;
            for (std::size_t i = 0; i < stopped.size(); ++i)
                if (stopped.cause_of(i) == StopCause::budget &&
                    stopped.stop_ms[i] == stop.begin.count() &&
                    is_of(budget, stopped.pool[i], result.jobs.tenant[stopped.job[i]]))
                    ++stop.num_stopped;
        }
}

bool give_own_shapes(const std::vector<ResultBudget>& budgets, Plan& plan) {
    using Owned = std::pair<std::uint16_t, std::int64_t>; // a shape, and the tenant or -1
    const auto owned = [&](std::size_t job) {
        const std::uint16_t tenant = plan.tenant[job];
        const bool is_apart = std::ranges::any_of(
            budgets, [&](const ResultBudget& budget) { return acts_for(budget, tenant); });
        return Owned{plan.shape[job], is_apart ? std::int64_t{tenant} : -1};
    };
    if (std::ranges::none_of(budgets, [](const ResultBudget& budget) {
            return budget.tenant && budget.action != BudgetAction::alert;
        }))
        return true;
    std::map<Owned, std::uint16_t> number_of;
    for (std::size_t shape = 0; shape < plan.shapes.size(); ++shape) // also those of no job
        number_of[{static_cast<std::uint16_t>(shape), -1}];
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        number_of[owned(job)];
    if (number_of.size() > std::numeric_limits<std::uint16_t>::max())
        return false;
    std::vector<JobShape> shapes;
    for (auto& [own, number] : number_of) {
        number = static_cast<std::uint16_t>(shapes.size());
        shapes.push_back(plan.shapes[own.first]);
    }
    for (std::size_t job = 0; job < plan.num_jobs(); ++job)
        plan.shape[job] = number_of.at(owned(job));
    plan.shapes = std::move(shapes);
    return true;
}

}} // namespace bursar::tools
