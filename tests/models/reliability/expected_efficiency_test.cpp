#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/reliability/expected_efficiency.hpp"

#include "tests/models/reliability/checkpoint_simulation.hpp"
#include "tests/properties.hpp"

namespace bursar::expected_efficiency_test {

namespace {

CheckpointedRun synchronous(double dump, double restart, double mtbf) {
    return {{Seconds{dump}, Seconds{}, 0}, Seconds{restart}, Seconds{mtbf}};
}

double sum(const TimeShares& shares) {
    return shares.useful + shares.dump + shares.interference + shares.rework + shares.restart;
}

/// A number from a wide range, the same number of values in every decade.
double decades(int from, int to) {
    return std::pow(10.0, drawn::in_range(from * 1000, to * 1000) / 1000.0);
}

CheckpointedRun any_run() {
    CheckpointedRun run = synchronous(decades(0, 3), decades(0, 3), decades(3, 6));
    if (drawn::boolean())
        run.checkpoint = {
            Seconds{decades(-1, 2)}, Seconds{decades(0, 3)}, drawn::in_range(0, 31) / 1000.0};
    return run;
}

} // namespace

TEST_CASE("expected efficiency is Daly's closed form when nothing is written in the background") {
    const double tau = 7001;
    const double delta = 300;
    const double restart = 600;
    const double mtbf = 86400;
    const double daly =
        tau / (mtbf * std::exp(restart / mtbf) * (std::exp((tau + delta) / mtbf) - 1));
    const TimeShares shares = expected_shares(synchronous(delta, restart, mtbf), Seconds{tau});
    CHECK(shares.useful == doctest::Approx(daly).epsilon(1e-12));
    CHECK(time_between_checkpoints(shares, Seconds{tau}).count() == doctest::Approx(tau / daly));
    CHECK(sum(shares) == doctest::Approx(1).epsilon(1e-12));
}

TEST_CASE("three runs worked by hand: first-order interval and waste (FORMULAS 6.3)") {
    struct Example {
        double dump, restart, mtbf, interval, waste;
    };
    for (const Example& e : {Example{60, 600, 3.09 * 3600, 1116, 0.148},
                             Example{300, 600, 24 * 3600, 7001, 0.087},
                             Example{30, 300, 8 * 3600, 1295, 0.055}}) {
        CAPTURE(e.dump);
        const CheckpointedRun run = synchronous(e.dump, e.restart, e.mtbf);
        const Seconds daly = daly_interval(Seconds{e.dump}, Seconds{e.mtbf});
        CHECK(std::abs(daly.count() - e.interval) < 0.5);
        // The exact model includes higher-order terms: slightly less is kept.
        const double exact = 1 - expected_shares(run, daly).useful;
        CHECK(std::abs(exact - e.waste) < 0.0005);
    }
}

TEST_CASE("to first order the waste is the exact one when failures are rare") {
    const CheckpointedRun run = synchronous(1, 10, 1e7);
    const Seconds interval = young_interval(Seconds{1}, Seconds{1e7});
    CHECK(first_order_waste(run, interval).total() ==
          doctest::Approx(1 - expected_shares(run, interval).useful).epsilon(1e-3));
}

TEST_CASE("the closed form lies inside the interval of an event-by-event simulation") {
    struct Case {
        const char* what;
        CheckpointedRun run;
        double interval;
    };
    const std::vector<Case> cases{
        {"frequent failures", synchronous(300, 600, 900), 550},
        {"Daly's 24 h", synchronous(300, 600, 86400), 7000},
        {"interval far too long", synchronous(30, 300, 3600), 9000},
        {"asynchronous", {{Seconds{6}, Seconds{150}, 0.03}, Seconds{300}, Seconds{3600}}, 400},
        {"background write all the time",
         {{Seconds{10}, Seconds{500}, 0.1}, Seconds{60}, Seconds{2000}},
         490},
    };
    for (const Case& c : cases) {
        CAPTURE(c.what);
        const double mtbf = c.run.mtbf.count();
        const test::CheckpointSimulation simulation{c.run.checkpoint,
                                                    c.run.restart.count(),
                                                    c.interval,
                                                    [=](double u) { return -mtbf * std::log(u); },
                                                    true};
        const test::Estimate simulated = test::estimate(simulation);
        const double closed = expected_shares(c.run, Seconds{c.interval}).useful;
        CAPTURE(simulated.mean);
        CAPTURE(simulated.error);
        CHECK(simulated.error < 0.01 * closed);
        CHECK(std::abs(closed - simulated.mean) < 3.3 * simulated.error); // 99.9 %
    }
}

TEST_CASE("shares of time are shares, and add up") {
    CHECK(check_property("shares", [] {
        const CheckpointedRun run = any_run();
        const Seconds interval{min_interval(run.checkpoint).count() + decades(0, 6)};
        const TimeShares shares = expected_shares(run, interval);
        for (const double share :
             {shares.useful, shares.dump, shares.interference, shares.rework, shares.restart})
            RC_ASSERT(share >= 0 && share <= 1);
        RC_ASSERT(std::abs(sum(shares) - 1) < 1e-9);
    }));
}

TEST_CASE("the optimal interval is a maximum: no other is better") {
    CHECK(check_property("optimum", [] {
        const CheckpointedRun run = any_run();
        const Seconds best = optimal_interval(run);
        const double efficiency = log_efficiency(run, best);
        for (const double factor : {0.3, 0.9, 0.99, 0.999, 1.001, 1.01, 1.1, 3.0}) {
            const Seconds other = std::max(best * factor, min_interval(run.checkpoint));
            RC_ASSERT(log_efficiency(run, other) <= efficiency + 1e-12);
        }
    }));
}

TEST_CASE("dearer, slower or less reliable never makes a run more efficient") {
    CHECK(check_property("monotone", [] {
        const CheckpointedRun run = any_run();
        const Seconds interval{min_interval(run.checkpoint).count() + decades(1, 5)};
        const double before = log_efficiency(run, interval);
        CheckpointedRun worse = run;
        worse.checkpoint.blocking += Seconds{decades(0, 2)};
        RC_ASSERT(log_efficiency(worse, interval) <= before);
        worse = run;
        worse.restart += Seconds{decades(0, 2)};
        RC_ASSERT(log_efficiency(worse, interval) <= before);
        worse = run;
        worse.mtbf = run.mtbf * 0.9;
        RC_ASSERT(log_efficiency(worse, interval) <= before);
    }));
}

// At one interval τ and equal bytes and rates (a synchronous dump of ℓ against a snapshot of δ and
// a background write of ℓ, without interference), the closed form says when asynchronous saving
// loses: when e^((τ+δ)/M) (1 - e^(-δ/M)) > 1 - e^(-ℓ/M). Never for a snapshot that takes no time.
TEST_CASE("asynchronous saving loses no more than synchronous, exactly where that is true") {
    CHECK(check_property("asynchronous", [] {
        const double mtbf = decades(3, 6);
        const double write = decades(0, 3);
        const double snapshot = drawn::boolean() ? 0 : write * decades(-3, 0);
        const double interval = write + decades(0, 5);
        const CheckpointedRun asynchronous{
            {Seconds{snapshot}, Seconds{write}, 0}, Seconds{60}, Seconds{mtbf}};
        const double gain = log_efficiency(asynchronous, Seconds{interval}) -
                            log_efficiency(synchronous(write, 60, mtbf), Seconds{interval});
        const double loses = std::exp((interval + snapshot) / mtbf) * -std::expm1(-snapshot / mtbf);
        const double saves = -std::expm1(-write / mtbf);
        if (loses <= saves)
            RC_ASSERT(gain >= -1e-9);
        else
            RC_ASSERT(gain <= 1e-9);
        if (snapshot == 0)
            RC_ASSERT(gain >= -1e-9);
    }));
}

TEST_CASE("a run or interval that cannot be is an error by name") {
    const CheckpointedRun run = synchronous(60, 600, 36000);
    CHECK_THROWS_WITH_AS((void)expected_shares(run, Seconds{0}),
                         "interval: 0 is not a finite number above zero",
                         ModelError);
    CHECK_THROWS_WITH_AS((void)expected_shares(synchronous(60, 600, 0), Seconds{1}),
                         "mtbf: 0 is not a finite number above zero",
                         ModelError);
    CHECK_THROWS_AS((void)expected_shares(synchronous(-1, 600, 1), Seconds{1}), ModelError);
    CHECK_THROWS_AS((void)expected_shares(synchronous(1, NAN, 1), Seconds{1}), ModelError);
    const CheckpointedRun late{{Seconds{1}, Seconds{100}, 0}, Seconds{}, Seconds{1000}};
    CHECK_THROWS_WITH_AS((void)first_order_waste(late, Seconds{98}),
                         "interval: ends before the background write of the checkpoint before is "
                         "over; save less often, or write faster",
                         ModelError);
    CHECK(expected_shares(late, Seconds{99}).useful > 0);
    CHECK_THROWS_AS((void)optimal_interval(synchronous(0, 600, 1)), ModelError);
}

namespace {

/// Time held over work kept of one job, drawn.
double drawn(const InterruptedWork& run, std::uint64_t seed) {
    std::mt19937_64 random{seed};
    std::exponential_distribution<double> life{1 / run.mtbf->count()};
    double held = 0;
    double kept = 0;
    double restart = 0; // the first start needs no restart
    while (kept < run.work.count()) {
        double left = life(random);
        held += std::min(left, restart);
        left -= std::exchange(restart, run.restart.count());
        while (left > 0 && kept < run.work.count()) {
            const double wanted =
                std::min(run.interval.value_or(run.work).count(), run.work.count() - kept);
            const double cycle = wanted + (run.interval ? run.save.count() : 0);
            held += std::min(left, cycle);
            if (run.saves_as_it_ends && left < cycle)
                held += run.save.count();
            if (left >= cycle || run.saves_as_it_ends)
                kept += std::min(left, wanted);
            left -= cycle;
        }
    }
    return held / run.work.count();
}

double mean_drawn(const InterruptedWork& run) {
    constexpr int draws = 4000;
    double sum = 0;
    for (int i = 0; i < draws; ++i)
        sum += drawn(run, static_cast<std::uint64_t>(i));
    return sum / draws;
}

} // namespace

TEST_CASE("without interruptions a job holds its GPUs for its work and its saves") {
    CHECK(held_per_work({Seconds{100}, {}, Seconds{5}, Seconds{9}, false, {}}) == 1);
    CHECK(held_per_work({Seconds{100}, Seconds{20}, Seconds{5}, Seconds{9}, false, {}}) == 1.25);
}

TEST_CASE("GPU time of an interrupted job, against draws") {
    for (const double mtbf : {30.0, 100.0, 1000.0}) {
        CAPTURE(mtbf);
        const InterruptedWork runs[]{
            {Seconds{100}, {}, Seconds{2}, Seconds{5}, true, Seconds{mtbf}},
            {Seconds{100}, {}, Seconds{2}, Seconds{5}, false, Seconds{mtbf}},
            {Seconds{100}, Seconds{10}, Seconds{2}, Seconds{5}, false, Seconds{mtbf}}};
        for (const InterruptedWork& run : runs) {
            const double expected = held_per_work(run);
            const double mean = mean_drawn(run);
            CAPTURE(expected);
            CAPTURE(mean);
            CHECK(std::abs(mean / expected - 1) < 0.04);
        }
    }
}

} // namespace bursar::expected_efficiency_test
