#include "reports/result/load_metrics.hpp"

#include <limits>

#include "reports/result/saved_bounds.hpp"

namespace bursar {
namespace {

Distribution read_distribution(const JsonReader& in) {
    Distribution out;
    out.count = in.at("count").unsigned_integer();
    out.sum = in.at("sum").exact(saved::most_statistic);
    out.p50_hundredths = in.at("p50_hundredths").exact(saved::most_statistic);
    out.p90_hundredths = in.at("p90_hundredths").exact(saved::most_statistic);
    out.p99_hundredths = in.at("p99_hundredths").exact(saved::most_statistic);
    out.max = in.at("max").integer(0, std::numeric_limits<std::int64_t>::max());
    return out;
}

/// A distribution of times, each within the longest run.
Distribution read_times(const JsonReader& in) {
    const Distribution out = read_distribution(in);
    for (const int128 hundredths : {out.p50_hundredths, out.p90_hundredths, out.p99_hundredths})
        if (hundredths > int128{saved::most_ms} * 100)
            in.fail("a percentile is longer than any run");
    return out;
}

/// A distribution of whole numbers.
Distribution read_counts(const JsonReader& in) {
    const Distribution out = read_distribution(in);
    for (const int128 value : {out.sum, out.p50_hundredths, out.p90_hundredths, out.p99_hundredths})
        if (value > saved::most_count)
            in.fail("a figure is larger than any run gives");
    return out;
}

QueueLength read_queue(const JsonReader& in) {
    QueueLength out;
    out.span = Duration{in.at("span_ms").integer(0, saved::most_ms)};
    out.job_ms = in.at("job_ms").exact(saved::most_count);
    out.gpu_ms = in.at("gpu_ms").exact(saved::most_count);
    out.p50_jobs = in.at("p50_jobs").unsigned_integer();
    out.p99_jobs = in.at("p99_jobs").unsigned_integer();
    out.most_jobs = in.at("most_jobs").unsigned_integer();
    out.most_gpus = in.at("most_gpus").unsigned_integer();
    return out;
}

void read_placement(const JsonReader& in, Metrics& out) {
    if (in.has("place_wait")) {
        const JsonReader wait = in.at("place_wait");
        out.place_wait = PlaceWait{wait.at("job_ms").exact(saved::most_count),
                                   wait.at("slot_ms").exact(saved::most_slot_ms)};
    }
    if (in.has("level_effect")) {
        const JsonReader effect = in.at("level_effect");
        out.level_effect = LevelEffect{effect.at("gained_slot_ms").exact(saved::most_slot_ms),
                                       effect.at("lost_slot_ms").exact(saved::most_slot_ms)};
    }
}

} // namespace

Metrics read_metrics(const JsonReader& in) {
    Metrics out;
    out.jobs_measured = in.at("jobs_measured").unsigned_integer();
    out.jobs_finished = in.at("jobs_finished").unsigned_integer();
    out.jobs_censored = in.at("jobs_censored").unsigned_integer();
    out.jobs_not_submitted = in.at("jobs_not_submitted").unsigned_integer();
    out.censored_held = SlotTime{in.at("censored_slot_ms").exact(saved::most_slot_ms)};
    out.jct = read_times(in.at("jct_ms"));
    out.wait = read_times(in.at("wait_ms"));
    out.queued_total = read_times(in.at("queued_total_ms"));
    out.slowdown = read_distribution(in.at("slowdown_millionths"));
    out.bounded_slowdown = read_distribution(in.at("bounded_slowdown_millionths"));
    if (const JsonReader makespan = in.at("makespan_ms"); !makespan.is_null())
        out.makespan = Duration{makespan.integer(0, saved::most_ms)};
    out.preemptions = in.at("preemptions").unsigned_integer();
    out.restarts = in.at("restarts").unsigned_integer();
    if (in.has("queue")) { // results were saved before there was preemption
        out.priority_wait = read_times(in.at("priority_wait_ms"));
        out.attempts = read_counts(in.at("attempts"));
        out.queue = read_queue(in.at("queue"));
        out.preempted_without_progress = in.at("preempted_without_progress").unsigned_integer();
    }
    read_placement(in, out);
    return out;
}

} // namespace bursar
