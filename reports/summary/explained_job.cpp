#include "reports/summary/explained_job.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/bill/tenant_shares.hpp"
#include "reports/csv/row_fields.hpp"
#include "reports/result/job_holding.hpp"
#include "reports/result/result_attempt.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

/// A reason in the order in which people read them, which is the reverse of that of WaitReason.
constexpr std::array<std::string_view, num_wait_reasons> reason_titles{
    "its turn: its gang could be placed, but queue order, a reservation, a quota, a round or a "
    "budget came first",
    "a place: enough GPUs were free, but not where its gang may run",
    "nodes: they would have been enough, but were booting, down or not launched",
    "GPUs: other jobs held them"};

constexpr int128 ms_per_milli_hour = hour.count() / 1000;

std::string gpus_text(const JobColumns& jobs, std::size_t job) {
    if (jobs.slots(job) % slots_per_gpu != 0)
        return fmt::format("{:.2f} of a GPU", double(jobs.slots(job)) / double(slots_per_gpu));
    return fmt::format("{} GPU{}", grouped_text(jobs.gpus[job], 0), jobs.gpus[job] == 1 ? "" : "s");
}

/// Writes the tables of one job.
class JobStory {
  public:
    JobStory(const Result& result, std::size_t job)
        : result_{result}, jobs_{result.jobs}, job_{job} {
        const std::vector<StoppedSum> sums = stopped_sums(result);
        if (!sums.empty())
            stopped_ = sums[job];
    }

    [[nodiscard]] Document document() const {
        const JobState state = jobs_.state[job_];
        Document out;
        out.title = fmt::format("Job {} of {}: {}, {}",
                                JobIds{jobs_}.id(job_),
                                tenant_title(result_.tenants[jobs_.tenant[job_]]),
                                gpus_text(jobs_, job_),
                                job_state_names[static_cast<std::size_t>(state)]);
        if (state == JobState::not_submitted) {
            out.headline = "The run ended before it was submitted.";
            return out;
        }
        out.add(life());
        if (is_never_eligible(state))
            return out;
        if (const auto waits = waits_of(result_, job_, stopped_))
            out.add(waits_table(*waits));
        else
            out.add(Lines{"", {"This result does not keep why jobs waited."}});
        return out;
    }

  private:
    [[nodiscard]] std::string instant(std::int64_t ms) const {
        return readable_instant(result_.zero_utc_ms, Duration{ms});
    }

    [[nodiscard]] ReportTable life() const {
        ReportTable table{
            "", "What happened", {{"event", Align::left}, {"when", Align::left}, {"after"}}};
        std::int64_t since = jobs_.submit_ms[job_];
        const auto add = [&](std::string event, std::int64_t ms, std::string_view what) {
            table.rows.push_back({{std::move(event),
                                   instant(ms),
                                   fmt::format("{} {}", span_text(Duration{ms - since}), what)},
                                  RowKind::plain});
            since = ms;
        };
        table.rows.push_back({{"submitted", instant(since), ""}, RowKind::plain});
        if (jobs_.state[job_] == JobState::dependent)
            add("still waits for other jobs at the end of the run", result_.end.count(), "in all");
        else if (jobs_.state[job_] == JobState::rejected)
            add("rejected, as it cannot meet its deadline", since, "later");
        else if (jobs_.eligible(job_) > since)
            add("the jobs that it needs have ended", jobs_.eligible(job_), "for other jobs");
        for_each_attempt(result_, [&](const ResultAttempt& attempt) {
            if (attempt.job != job_)
                return;
            add(fmt::format(
                    "attempt {} starts on {}", attempt.number, result_.pools[attempt.pool].name),
                attempt.start.count(),
                "in the queue");
            const std::string cause{end_cause(result_, attempt)};
            add(attempt.stopped ? fmt::format("attempt {} is stopped: {}", attempt.number, cause)
                                : cause,
                attempt.end.count(),
                "with its GPUs");
        });
        const JobState state = jobs_.state[job_];
        if (state == JobState::queued || state == JobState::preempted)
            add("still waits at the end of the run", result_.end.count(), "in the queue");
        if (state == JobState::dropped)
            add("dropped, as it can no longer meet its deadline",
                jobs_.finish_ms[job_],
                "in the queue");
        return table;
    }

    [[nodiscard]] ReportTable waits_table(const WaitTimes& waits) const {
        ReportTable table{"",
                          fmt::format("What it waited for, with {} needed", gpus_text(jobs_, job_)),
                          {{"waited for", Align::left}, {"hours"}, {"share"}}};
        const std::vector<int128> parts(waits.begin(), waits.end());
        int128 sum = 0;
        for (const int128 part : parts)
            sum += part;
        const int128 total = divide_half_up(sum, ms_per_milli_hour);
        const std::vector<int128> hours = largest_remainder(parts, ms_per_milli_hour, total);
        const std::vector<int128> shares = permille_of(parts, sum, sum > 0 ? 1000 : 0);
        for (std::size_t i = num_wait_reasons; i-- > 0;)
            table.rows.push_back({{std::string{reason_titles[i]},
                                   grouped_text(hours[i], 3),
                                   grouped_text(shares[i], 1) + " %"},
                                  RowKind::plain});
        table.rows.push_back(
            {{"all its time in the queue", grouped_text(total, 3), ""}, RowKind::sum});
        return table;
    }

    const Result& result_;
    const JobColumns& jobs_;
    std::size_t job_;
    StoppedSum stopped_;
};

} // namespace

std::optional<std::size_t> find_job(const JobColumns& jobs, std::string_view job_id) {
    const JobIds ids{jobs};
    for (std::size_t job = 0; job < jobs.size(); ++job)
        if (ids.id(job) == job_id)
            return job;
    return std::nullopt;
}

Document explained_job(const Result& result, std::size_t job) {
    return JobStory{result, job}.document();
}

}} // namespace bursar::reports
