#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/random/normal.hpp"
#include "models/random/philox.hpp"

#include "policies/runs/simulate.hpp"

#include "tests/policies/setup_queue/setup_chain.hpp"

// Nodes that are launched when jobs wait and end when no job needs them, against queueing theory:
// exponential boots, no idle time, and a boot is cancelled when its job starts elsewhere.
namespace bursar::test::setup_queue_test {
namespace {

constexpr std::int64_t num_jobs = 10'000;
constexpr std::int64_t num_left_out = 500; ///< first responses, as the run begins empty
constexpr int num_seeds = 20;
/// Two-sided 99 % of Student's t with 19 degrees of freedom.
constexpr double t_99 = 2.861;
constexpr double service_ms = 100'000;

double exponential(const RandomStream& stream, std::uint64_t entity, std::uint32_t n) {
    return -portable_log(stream.uniform(entity, n));
}

/// Times are in units of a mean service.
Plan plan_of(const SetupQueue& queue, std::uint64_t seed) {
    Plan plan;
    plan.pools = {{.num_nodes = static_cast<std::uint32_t>(queue.num_servers),
                   .gpus_per_node = 1,
                   .purchase = Purchase::on_demand,
                   .rate = MoneyRate{1}}};
    plan.pool_preference = plan.pools_by_name = {0};
    plan.classes.resize(1);
    plan.shapes = {{.gpus = 1, .permitted_pools = 1}};
    const RandomStream gaps{seed, Stream::arrivals};
    const RandomStream works{seed, Stream::run_times};
    double now = 0;
    for (std::uint32_t job = 0; job < num_jobs; ++job) {
        now += exponential(gaps, 0, job) / queue.arrivals;
        plan.submit_ms.push_back(std::llround(now * service_ms));
        plan.work_ms.push_back(std::llround(exponential(works, 0, job) * service_ms));
    }
    plan.shape.resize(num_jobs);
    plan.job_class.resize(num_jobs);
    plan.tenant.resize(num_jobs);
    plan.end.resize(num_jobs, JobEnd::completed);
    PlanProvisioning& rule = plan.provisioning.emplace_back();
    rule.is_fixed = false;
    rule.follows_queue = true;
    rule.cancels_boots = true;
    rule.boot_bits = 15;
    const RandomStream boots{seed, Stream::boots};
    for (std::uint32_t boot = 0; boot < 1U << rule.boot_bits; ++boot)
        plan.boot_ms.push_back(
            std::llround(exponential(boots, 0, boot) / queue.setup * service_ms));
    return plan;
}

SetupMeans simulated(const SetupQueue& queue, const std::string& capacity, std::uint64_t seed) {
    const Plan plan = plan_of(queue, seed);
    PolicyChoice choice{"fifo", HeadRule::block};
    choice.capacity = capacity;
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    SetupMeans means;
    for (std::size_t job = num_left_out; job < plan.num_jobs(); ++job)
        means.response += static_cast<double>(run.jobs.finish_ms[job] - plan.submit_ms[job]) /
                          service_ms / (num_jobs - num_left_out);
    means.paid = static_cast<double>(run.outcome.nodes[0].paid.count()) /
                 static_cast<double>(run.outcome.end.count());
    return means;
}

struct Interval {
    double mean{};
    double half_width{};

    [[nodiscard]] bool holds(double value) const { return std::abs(value - mean) <= half_width; }
};

Interval interval_of(const std::vector<double>& values) {
    const auto num = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values)
        mean += value / num;
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return {mean, t_99 * std::sqrt(squares / (num - 1) / num)};
}

/// Checks that seeds agree with the expected value, to 99 %, in intervals that are narrow enough.
void check_against(const SetupQueue& queue, const std::string& capacity, SetupMeans expected) {
    std::vector<double> response;
    std::vector<double> paid;
    for (int seed = 1; seed <= num_seeds; ++seed) {
        const SetupMeans means = simulated(queue, capacity, static_cast<std::uint64_t>(seed));
        response.push_back(means.response);
        paid.push_back(means.paid);
    }
    const Interval responses = interval_of(response);
    const Interval nodes = interval_of(paid);
    INFO(queue.num_servers,
         " nodes, load ",
         queue.arrivals / queue.num_servers,
         ", boot ",
         1 / queue.setup,
         ", ",
         capacity,
         ": response ",
         responses.mean,
         " +- ",
         responses.half_width,
         ", expected ",
         expected.response,
         "; paid nodes ",
         nodes.mean,
         " +- ",
         nodes.half_width,
         ", expected ",
         expected.paid);
    CHECK(responses.holds(expected.response));
    CHECK(nodes.holds(expected.paid));
    CHECK(responses.half_width < 0.06 * expected.response);
    CHECK(nodes.half_width < 0.02 * expected.paid);
}

/// One node: it is set up at an arrival, and works until no job is left. Source: Welch, "On a
/// generalized M/G/1 queuing process in which the first customer of each busy period receives
/// exceptional service", Operations Research 12(5), 1964, with exponential setups: their mean is
/// added to the response of M/M/1. Of the time without work, 1 - rho, a share setup time / (setup
/// time + mean gap) is setup.
SetupMeans closed_form(const SetupQueue& queue) {
    const double rho = queue.arrivals / queue.service;
    return {1 / (queue.service - queue.arrivals) + 1 / queue.setup,
            rho + (1 - rho) * queue.arrivals / (queue.arrivals + queue.setup)};
}

} // namespace

TEST_CASE("the chain of one server with setup has its closed form") {
    for (const SetupQueue& queue :
         {SetupQueue{1, 0.5, 1, 0.2}, SetupQueue{1, 0.7, 1, 2}, SetupQueue{1, 0.3, 1, 0.05}}) {
        const SetupMeans exact = closed_form(queue);
        const SetupMeans solved = SetupChain{queue, 600}.means();
        CHECK(solved.response == doctest::Approx(exact.response).epsilon(1e-9));
        CHECK(solved.paid == doctest::Approx(exact.paid).epsilon(1e-9));
    }
}

TEST_CASE("the chain of servers without setup has Erlang's delay") {
    // Three servers, load 2: by the delay formula 4/9 of jobs wait, for 1 / (3 - 2) in the mean.
    const SetupMeans solved = SetupChain{{3, 2, 1, 1e9}, 400}.means();
    CHECK(solved.response == doctest::Approx(1 + 4.0 / 9).epsilon(1e-6));
    CHECK(solved.paid == doctest::Approx(2).epsilon(1e-6));
}

TEST_CASE("one node that boots when jobs wait is M/M/1 with setup") {
    for (const SetupQueue& queue : {SetupQueue{1, 0.5, 1, 0.5}, SetupQueue{1, 0.7, 1, 0.2}})
        for (const char* capacity : {"count", "nodes"})
            check_against(queue, capacity, closed_form(queue));
}

TEST_CASE("nodes that boot when jobs wait are M/M/k with setup") {
    for (const SetupQueue& queue :
         {SetupQueue{2, 1.2, 1, 0.5}, SetupQueue{4, 2.8, 1, 0.25}, SetupQueue{10, 5, 1, 0.1}})
        for (const char* capacity : {"count", "nodes"})
            check_against(queue, capacity, SetupChain{queue, 400}.means());
}

} // namespace bursar::test::setup_queue_test
