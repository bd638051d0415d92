#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/sim/engine/batch_means.hpp"

namespace bursar::test::queueing_theory_test {
namespace {

/// Erlang C: mean wait of M/M/c over the mean service time. Kleinrock 1975, Queueing Systems
/// I, 3.40.
double erlang_wait(int servers, double load) {
    const double offered = servers * load;
    double term = 1.0;
    double sum = 1.0;
    for (int k = 1; k < servers; ++k)
        sum += term *= offered / k;
    const double last = term * offered / servers / (1.0 - load);
    return last / (sum + last) / (servers * (1.0 - load));
}

struct Queue {
    Plan plan;
    std::vector<double> waits_s;
    Run run;
};

/// 200,000 one-GPU jobs with a mean service of 100 s (exponential, or all equal) on `servers` GPUs.
Queue simulate_queue(int servers, double load, bool exponential, std::uint32_t seed) {
    QueueSource source{seed};
    Queue queue;
    queue.plan = plan_of({{0, 0, 1}}, {pool_of(static_cast<std::uint32_t>(servers), 1)});
    std::int64_t now_ms = 0;
    for (int job = 1; job < 200'000; ++job) {
        now_ms += source.exponential_ms(100e3 / (servers * load));
        add_customer(queue.plan, now_ms, exponential ? source.exponential_ms(100e3) : 100'000);
    }
    Workspace workspace;
    const PolicyChoice choice{"fifo", HeadRule::block, "count", ""};
    queue.run =
        simulate(queue.plan, order_for(queue.plan, choice), choice, Record::timeline, workspace);
    for (std::size_t job = 2000; job < queue.plan.num_jobs();
         ++job) { // the first 1 % fill the system
        queue.waits_s.push_back(
            static_cast<double>(queue.run.jobs.start_ms[job] - queue.plan.submit_ms[job]) / 1e3);
    }
    return queue;
}

} // namespace

TEST_CASE("M/M/c waits are Erlang's") {
    for (const int servers : {1, 4, 16}) {
        const double load = 0.8;
        CAPTURE(servers);
        const Estimate wait = batch_means(simulate_queue(servers, load, true, 11).waits_s);
        const double expected = 100.0 * erlang_wait(servers, load);
        CAPTURE(wait.mean);
        CAPTURE(wait.half_width);
        CAPTURE(expected);
        CHECK(wait.covers(expected));
        CHECK(wait.half_width < 0.15 * expected); // a wide interval would cover anything
    }
}

TEST_CASE("M/D/1 waits are Pollaczek and Khinchine's") {
    const double load = 0.7;
    const Estimate wait = batch_means(simulate_queue(1, load, false, 5).waits_s);
    const double expected = 100.0 * load / (2.0 * (1.0 - load)); // half of M/M/1
    CAPTURE(wait.mean);
    CAPTURE(wait.half_width);
    CHECK(wait.covers(expected));
    CHECK(wait.half_width < 0.1 * expected);
}

// L = lambda W holds for every finite run that starts and ends empty, to the last millisecond: the
// area under the queue length is the sum of the waits. (Little 1961)
TEST_CASE("Little's law holds exactly between the timeline and the job rows") {
    const Queue queue = simulate_queue(4, 0.9, true, 3);
    std::int64_t area = 0;
    const std::vector<TimelineRow>& rows = queue.run.timeline;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        area += rows[i].queue_jobs * (rows[i + 1].time_ms - rows[i].time_ms);
    }
    std::int64_t waits = 0;
    for (std::size_t job = 0; job < queue.plan.num_jobs(); ++job) {
        waits += queue.run.jobs.start_ms[job] - queue.plan.submit_ms[job];
    }
    CHECK(waits > 0);
    CHECK(area == waits);
}

} // namespace bursar::test::queueing_theory_test
