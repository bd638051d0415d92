#pragma once

#include <cstdint>

#include "sim/engine/attempts/carried_jobs.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// A job with this progress, as policies see it.
[[nodiscard, gnu::always_inline]] BURSAR_HD inline JobView
view_of_waiting(const PlanView& plan, JobId job, const Progress& progress) {
    JobView view = plan.view(job);
    const std::int64_t done_ms = plan.work_ms[job] - progress.work_left_ms;
    const std::int64_t believed_ms = view.run_time.count() - done_ms;
    view.remaining = plan.remaining(job, progress.delay_ms, believed_ms > 0 ? believed_ms : 0);
    view.attained = Duration{progress.attained_ms};
    return view;
}

/// A running job now, as policies see it. began: its progress when its attempt began.
[[nodiscard]] BURSAR_HD inline JobView view_of_running(const PlanView& plan,
                                                       const Attempt& attempt,
                                                       const Progress& began,
                                                       std::int64_t now_ms) {
    const Duration held{now_ms - attempt.start_ms};
    JobView view = view_of_waiting(plan, attempt.job, began);
    view.attained += held;
    view.remaining = view.remaining > held ? view.remaining - held : Duration{};
    return view;
}

/// The rank of a waiting job, made comparable to ranks of running ones: for those, a falling key is
/// stored as the instant at which it reaches 0.
[[nodiscard]] BURSAR_HD inline Rank
rank_if_running(KeyMotion motion, Rank waiting, std::int64_t now_ms) {
    waiting.key += motion == KeyMotion::falls ? static_cast<std::uint64_t>(now_ms) : 0;
    return waiting;
}

}} // namespace bursar::sim
