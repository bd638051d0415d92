#include "reports/result/attempt_phases.hpp"

#include <algorithm>

namespace bursar { inline namespace reports {
namespace {

/// How the time of an attempt divides.
struct AttemptSpans {
    Duration lead{}; ///< before its work
    Duration kept{}; ///< at work, kept
    Duration lost{}; ///< at work, to be done again
    Duration saves{};
    Duration tail{};     ///< after its work
    Duration unsorted{}; ///< start-up, and the time until the fault was detected
};

/// The leaf of kept work, given the final state of its job.
Leaf leaf_of_kept(JobState state) {
    switch (state) {
    case JobState::failed:
        return Leaf::lost_job_failed;
    case JobState::cancelled:
    case JobState::dropped:
        return Leaf::lost_cancelled;
    case JobState::stopped:
        return Leaf::lost_stopped;
    case JobState::node_failed:
        return Leaf::lost_failure;
    case JobState::completed:
    case JobState::running:
    case JobState::queued:
    case JobState::not_submitted:
    case JobState::preempted:
    case JobState::dependent:
    case JobState::rejected:
        break;
    }
    return Leaf::prod_useful;
}

/// Divides one attempt.
class Divider {
  public:
    Divider(const Result& result, const ResultAttempt& attempt)
        : result_{result}, attempt_{attempt}, kind_{result.phases.kind_of(attempt.job)},
          held_{attempt.end - attempt.start} {}

    [[nodiscard]] AttemptSpans spans() const {
        return attempt_.stopped ? of_stopped(*attempt_.stopped) : of_last();
    }
    [[nodiscard]] bool saves() const { return result_.phases.saves[kind_] != 0; }

  private:
    [[nodiscard]] AttemptSpans of_last() const {
        AttemptSpans out;
        const bool is_over = has_finished(result_.jobs.state[attempt_.job]);
        const Duration teardown{result_.phases.teardown_ms[kind_]};
        out.kept = std::min(Duration{result_.jobs.work_ms[attempt_.job]}, held_);
        Duration rest = held_ - out.kept;
        if (is_over)
            out.tail =
                std::clamp(rest - attempt_.lead, Duration{}, teardown); // a reclaim may cut it
        rest -= out.tail;
        out.lead = is_over && !saves() ? rest : std::min(attempt_.lead, rest);
        rest -= out.lead;
        (saves() ? out.saves : out.tail) += rest; // a running job may be in its teardown
        return out;
    }

    [[nodiscard]] AttemptSpans of_stopped(std::size_t at) const {
        AttemptSpans out;
        const StoppedColumns& stopped = result_.stopped;
        out.kept = std::min(Duration{stopped.kept_ms[at]}, held_);
        out.lost = std::min(Duration{stopped.lost_ms[at]}, held_ - out.kept);
        Duration rest = held_ - out.kept - out.lost;
        if (out.kept + out.lost == Duration{}) { // no work, so nothing to save
            (is_abrupt(stopped.cause_of(at)) ? out.unsorted : out.lead) = rest;
            return out;
        }
        out.lead = std::min(attempt_.lead, rest);
        rest -= out.lead;
        (saves() ? out.saves : out.tail) += rest;
        return out;
    }

    const Result& result_;
    const ResultAttempt& attempt_;
    std::size_t kind_;
    Duration held_;
};

/// The leaf of the time after the work of an attempt, or of saves during it.
std::string_view leaf_behind(const Result& result, const ResultAttempt& attempt, bool saves) {
    if (!attempt.stopped) {
        const bool may_be_teardown =
            result.jobs.state[attempt.job] == JobState::running &&
            result.phases.teardown_ms[result.phases.kind_of(attempt.job)] > 0;
        if (saves)
            return may_be_teardown ? "overhead" : name_of(Leaf::over_checkpoint);
        return name_of(Leaf::over_teardown);
    }
    if (!is_abrupt(result.stopped.cause_of(*attempt.stopped)))
        return name_of(Leaf::over_checkpoint);
    return saves ? "overhead" : name_of(Leaf::over_hang); // saves, or until the hang was detected
}

std::string_view leaf_kept(const Result& result, const ResultAttempt& attempt, bool saves) {
    const JobState state = result.jobs.state[attempt.job];
    if (!attempt.stopped && state == JobState::running)
        return saves ? "productive" : name_of(Leaf::prod_uncommitted);
    return name_of(leaf_of_kept(state));
}

std::string_view leaf_lost(const Result& result, const ResultAttempt& attempt) {
    const bool fails = attempt.stopped && is_failure(result.stopped.cause_of(*attempt.stopped));
    return name_of(fails ? Leaf::lost_failure : Leaf::lost_preempt);
}

} // namespace

std::vector<AttemptPhase> phases_of(const Result& result, const ResultAttempt& attempt) {
    std::vector<AttemptPhase> out;
    const Divider divider{result, attempt};
    const AttemptSpans spans = divider.spans();
    const bool saves = divider.saves();
    AttemptPhase lead;
    lead.add(name_of(attempt.number == 1 ? Leaf::over_startup : Leaf::over_recovery), spans.lead);
    AttemptPhase work;
    work.is_work = true;
    work.add(leaf_kept(result, attempt, saves), spans.kept);
    work.add(leaf_lost(result, attempt), spans.lost);
    work.add(leaf_behind(result, attempt, true), spans.saves);
    AttemptPhase tail;
    tail.add(attempt.stopped || !saves ? leaf_behind(result, attempt, false)
                                       : name_of(Leaf::over_teardown),
             spans.tail);
    tail.add("overhead", spans.unsorted);
    Duration now = attempt.start;
    for (AttemptPhase* phase : {&lead, &work, &tail}) {
        phase->begin = now;
        for (std::size_t i = 0; i < phase->num_parts; ++i)
            now += phase->parts[i].held;
        phase->end = now;
        if (phase->num_parts > 0)
            out.push_back(*phase);
    }
    return out;
}

}} // namespace bursar::reports
