#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/sim/engine/batch_means.hpp"

// Mean response times in closed form for one server, against the engine: the mean lies inside the
// confidence interval of the simulated one. Times in units of 1 s.
namespace bursar::test::priority_queueing_test {
namespace {

constexpr int num_customers = 200'000;
constexpr double mean_service_s = 100.0;

/// A service time: its density, and how one is drawn.
struct Service {
    std::function<double(double)> density; ///< per second
    std::function<double(QueueSource&)> draw_s;
    double longest_s; ///< the density beyond is 0
};

const Service exponential{[](double t) { return std::exp(-t / mean_service_s) / mean_service_s; },
                          [](QueueSource& source) { return source.exponential(mean_service_s); },
                          40 * mean_service_s};

/// Two kinds of customers, 9 in 10 of a mean of 50 s, the others of 550 s: squared coefficient of
/// variation 5.5.
const Service hyperexponential{
    [](double t) { return 0.9 * std::exp(-t / 50) / 50 + 0.1 * std::exp(-t / 550) / 550; },
    [](QueueSource& source) {
        const double mean = source.uniform() < 0.9 ? 50.0 : 550.0;
        return source.exponential(mean);
    },
    40 * 550.0};

/// M/G/1 under shortest remaining processing time. Schrage and Miller 1966, "The queue M/G/1 with
/// the shortest remaining processing time discipline", Operations Research 14, eq. 7 and 8: a
/// customer of length x waits
///   lambda (int_0^x t^2 dF + x^2 (1 - F(x))) / (2 (1 - rho(x))^2)
/// and is then served in int_0^x dt / (1 - rho(t)), with rho(x) = lambda int_0^x t dF.
double srpt_mean_response(const Service& service, double load) {
    const double rate = load / mean_service_s;
    constexpr int num_steps = 400'000; // trapezoids: the error is of the order of 1e-9
    const double step = service.longest_s / num_steps;
    double below = 0.0;     // F(x)
    double first = 0.0;     // int t dF
    double second = 0.0;    // int t^2 dF
    double residence = 0.0; // int dt / (1 - rho(t))
    double mean = 0.0;
    double last_response = 0.0;
    for (int i = 1; i <= num_steps; ++i) {
        const double x = i * step;
        const double before = x - step;
        const double f0 = service.density(before);
        const double f1 = service.density(x);
        const double load_before = rate * first;
        below += 0.5 * step * (f0 + f1);
        first += 0.5 * step * (before * f0 + x * f1);
        second += 0.5 * step * (before * before * f0 + x * x * f1);
        const double load_below = rate * first;
        residence += 0.5 * step * (1 / (1 - load_before) + 1 / (1 - load_below));
        const double waiting =
            rate * (second + x * x * (1 - below)) / (2 * (1 - load_below) * (1 - load_below));
        const double response = waiting + residence;
        mean += 0.5 * step * (last_response * f0 + response * f1);
        last_response = response;
    }
    return mean;
}

/// Poisson arrivals at one GPU. draw_s gives service times; every `one_in`-th customer on average
/// has priority 1, the others 0; 0: none has one.
Plan draw_queue(double load,
                std::uint32_t seed,
                const std::function<double(QueueSource&)>& draw_s,
                double urgent_share = 0.0) {
    QueueSource source{seed};
    Plan plan = plan_of({{0, 0, 1}}, {pool_of(1, 1)});
    if (urgent_share > 0)
        plan.priority.push_back(0);
    std::int64_t now_ms = 0;
    for (int job = 1; job < num_customers; ++job) {
        now_ms += source.exponential_ms(1e3 * mean_service_s / load);
        add_customer(plan, now_ms, std::llround(1e3 * draw_s(source)));
        if (urgent_share > 0)
            plan.priority.push_back(source.uniform() < urgent_share ? 1 : 0);
    }
    return plan;
}

/// JCT in s of the customers for which `counts` holds, without the first 1 %, which fill the
/// system.
std::vector<double> responses_s(const Plan& plan,
                                const PolicyChoice& choice,
                                const std::function<bool(std::size_t)>& counts) {
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    std::vector<double> responses;
    for (std::size_t job = plan.num_jobs() / 100; job < plan.num_jobs(); ++job)
        if (counts(job))
            responses.push_back(static_cast<double>(run.jobs.finish_ms[job] - plan.submit_ms[job]) /
                                1e3);
    return responses;
}

void check_mean(const std::vector<double>& responses_s, double expected_s) {
    const Estimate estimate = batch_means(responses_s);
    CAPTURE(estimate.mean);
    CAPTURE(estimate.half_width);
    CAPTURE(expected_s);
    CHECK(estimate.covers(expected_s));
    CHECK(estimate.half_width < 0.1 * expected_s); // a wide interval would cover anything
}

bool everyone(std::size_t) {
    return true;
}

} // namespace

TEST_CASE("M/G/1 under srtf: the mean response is Schrage and Miller's") {
    // The formula itself: no load, no waiting; at load 0.8 a separate program has 2.35277 means.
    CHECK(srpt_mean_response(exponential, 1e-6) == doctest::Approx(mean_service_s).epsilon(1e-5));
    CHECK(srpt_mean_response(exponential, 0.8) == doctest::Approx(235.277).epsilon(1e-5));
    for (const Service& service : {exponential, hyperexponential}) {
        const double load = 0.7;
        const Plan plan = draw_queue(load, 17, service.draw_s);
        check_mean(responses_s(plan, {"srtf", HeadRule::skip, "count"}, everyone),
                   srpt_mean_response(service, load));
    }
}

// With exponential services, the mean response of any work-conserving order that ignores run times
// is that of M/M/1 (Kleinrock 1976, Queueing Systems II, 4.1).
TEST_CASE("M/M/1 under las: the mean response is that of fifo") {
    const double load = 0.7;
    const Plan plan = draw_queue(load, 23, exponential.draw_s);
    PolicyChoice choice{"las", HeadRule::skip, "count"};
    choice.queue_options.set("levels", {20'000, 60'000, 150'000, 400'000});
    check_mean(responses_s(plan, choice, everyone), mean_service_s / (1 - load));
}

// Cobham 1954, "Priority assignment in waiting line problems": W_k = W_0 / ((1 - s_(k-1)) (1 -
// s_k)), where s_k is the load of the k highest priorities and W_0 the rest of the job in service:
// load times the mean for exponential times.
TEST_CASE("M/M/1 with two priorities: the mean response is Cobham's") {
    const double load = 0.8;
    const double share = 0.4;
    const Plan plan = draw_queue(load, 29, exponential.draw_s, share);
    const PolicyChoice choice{"priority", HeadRule::block, "count"};
    const double residual = load * mean_service_s;
    const double urgent = load * share;
    check_mean(responses_s(plan, choice, [&](std::size_t job) { return plan.priority[job] == 1; }),
               mean_service_s + residual / (1 - urgent));
    check_mean(responses_s(plan, choice, [&](std::size_t job) { return plan.priority[job] == 0; }),
               mean_service_s + residual / ((1 - urgent) * (1 - load)));
}

// White and Christie 1958; Kleinrock 1976, 3.33, for exponential times of one mean: urgent jobs are
// not delayed by others, T_1 = m / (1 - s_1); the others have T_2 = m / ((1 - s_1) (1 - s_2)).
TEST_CASE("M/M/1 with two preemptive priorities: urgent jobs are not delayed by others") {
    const double load = 0.8;
    const double share = 0.4;
    const Plan plan = draw_queue(load, 31, exponential.draw_s, share);
    const double urgent = load * share;
    for (const char* preemption : {"order", "priority"}) {
        PolicyChoice choice{"priority", HeadRule::block, "count"};
        choice.preemption = preemption;
        CAPTURE(preemption);
        check_mean(
            responses_s(plan, choice, [&](std::size_t job) { return plan.priority[job] == 1; }),
            mean_service_s / (1 - urgent));
        check_mean(
            responses_s(plan, choice, [&](std::size_t job) { return plan.priority[job] == 0; }),
            mean_service_s / ((1 - urgent) * (1 - load)));
    }
}

} // namespace bursar::test::priority_queueing_test
