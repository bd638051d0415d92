#pragma once

#include <string_view>

#include "policies/preemption/limit_options.hpp"

namespace bursar { inline namespace policies {

/// A waiting job p that does not fit stops a set S of running ones if more value is delivered per
/// hour with it:
///
///   v(p) / T(p)  >  sum over i in S of  v(i) / R(i) (1 + C(i) / T(p))
///
/// v: value of finishing a job. T(p): time p needs from its start to its end, with start-up or
/// recovery and saves, at its slowest speed on that pool. R(i): time i still needs if it is not
/// stopped. C(i): time lost by stopping i: work since its last durable state, save and recovery.
/// Left: value that p delivers per hour. Right: value that the victims would deliver in the same
/// hours, plus what they deliver later because of C(i), spread over those hours. Decided in whole
/// numbers, multiplied by T(p); each term of the sum is rounded up, so that rounding never makes a
/// stop pay.
///
/// A victim cannot stop p in turn: T(i) >= R(i), so i would need v(i) R(p) > v(p) (R(i) +
/// C(p)), which contradicts the inequality. p gains on i as it runs, and i gains nothing by
/// waiting. (A first attempt stopped before its work began may come back once where recovery is
/// shorter than start-up.)
///
/// Jobs are served by value density (value per GPU-hour of work), those of equal density in the
/// queue's order: the first of a gang shape is the one most worth a stop.
///
/// Victims are taken by their term per GPU, least first, until the gang fits; then victims that are
/// not needed after all are spared, highest term first; then the inequality decides.
struct PreemptByValue {
    static constexpr std::string_view name = "value";
    static constexpr bool needs_run_times = true;
    static constexpr std::string_view summary =
        "a waiting job preempts running ones where that delivers more value per hour, net of "
        "preemption costs; by value density, then queue order";
    static constexpr std::string_view needs = "value";
    static constexpr std::string_view cost =
        "per event: running jobs x waiting shapes that do not fit";
    static constexpr OptionInfo options[]{max_per_job_option, min_run_option, grace_option};

    PreemptionLimits limits;

    static PreemptByValue from(const PolicyOptions& given) { return {limits_from(given)}; }
};

}} // namespace bursar::policies
