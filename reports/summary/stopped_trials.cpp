#include "reports/summary/stopped_trials.hpp"

#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "models/units/int128.hpp"

#include "reports/result/job_holding.hpp"
#include "reports/rounding/printed_units.hpp"
#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {

StoppedTrials stopped_trials(const Result& result) {
    StoppedTrials out;
    const JobColumns& jobs = result.jobs;
    const std::vector<StoppedSum> sums = stopped_sums(result);
    for (std::size_t job = 0; job < jobs.spared_gpu_ms.size(); ++job) {
        if (jobs.spared_gpu_ms[job] <= 0)
            continue;
        const StoppedSum& earlier = sums.empty() ? StoppedSum{} : sums[job];
        const SlotTime spared = slot_time(slots_per_gpu, Duration{jobs.spared_gpu_ms[job]});
        const SlotTime held = held_by(result, job, earlier);
        ++out.trials;
        out.spared += spared;
        if (held > SlotTime{}) {
            const int128 rate = divide_half_up(cost_of(result, job, earlier).count(), held.count());
            out.spared_cost += MoneyRate{static_cast<std::int64_t>(rate)} * spared;
        }
    }
    return out;
}

std::string stopped_trials_sentence(const Result& result) {
    const StoppedTrials stopped = stopped_trials(result);
    if (stopped.trials == 0)
        return "";
    constexpr int128 slot_ms_per_tenth = int128{360'000} * slots_per_gpu;
    constexpr int128 money_per_cent = money_per_micro_usd * 10'000;
    return fmt::format(
        "{} stopped early, which spared {} GPU-hours, {} USD at the price of theirs",
        grouped_text(int128{stopped.trials}, 0),
        grouped_text(divide_half_up(stopped.spared.count(), slot_ms_per_tenth), 1),
        grouped_text(divide_half_up(stopped.spared_cost.count(), money_per_cent), 2));
}

}} // namespace bursar::reports
