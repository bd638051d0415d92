#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/reliability/failure_rate.hpp"

namespace bursar {
namespace {

double hours(const FailureRates& rates, double nodes) {
    return mean_time_between_failures(rates, nodes).count() / seconds_per_hour;
}

const FailureRates& rates_of(std::string_view name) {
    const NamedFailureRates* found = find_failure_rates(name);
    REQUIRE(found != nullptr);
    return found->rates;
}

} // namespace

// FORMULAS 6.4.
TEST_CASE("the node rate of RSC-1 gives its published projections") {
    const FailureRates& rsc1 = rates_of("rsc-1");
    CHECK(hours(rsc1, 16384 / 8) == doctest::Approx(1.80).epsilon(0.003));
    CHECK(hours(rsc1, 131072 / 8) == doctest::Approx(0.23).epsilon(0.03));
    CHECK(hours(rsc1, 1024 / 8) == doctest::Approx(28.8).epsilon(0.003)); // measured: 7.9
}

TEST_CASE("Llama 3's interruptions give its 3.09 hours") {
    CHECK(hours(rates_of("llama-3"), 16384 / 8) == doctest::Approx(3.09).epsilon(0.002));
    CHECK(published::llama3_16384_gpus.mean_time.count() / 3600 ==
          doctest::Approx(54.0 * 24 / 419));
}

TEST_CASE("the default rates meet what was measured at 1024 and 16384 GPUs") {
    const FailureRates& fitted = published_failure_rates().front().rates;
    CHECK(hours(fitted, 128) == doctest::Approx(7.9));
    CHECK(hours(fitted, 2048) == doctest::Approx(2.36).epsilon(0.002));
    CHECK(hours(fitted, 2048) > 1.8);
    CHECK(hours(fitted, 2048) < 3.1);
    CHECK(fitted.per_job_day > 0);
    CHECK(fitted.per_node_day > 0);
    CHECK(&published_failure_rates().front() == find_failure_rates("fitted"));
    CHECK(failure_rate_names().front() == "fitted");
}

TEST_CASE("OPT-175B's machines: two a day") {
    CHECK(hours(rates_of("opt-175b"), 124) == doctest::Approx(12));
}

TEST_CASE("a fit goes through both observations, or says that none does") {
    const FailureRates made{1.5, 0.01};
    const FailureObservation small{50, mean_time_between_failures(made, 50)};
    const FailureObservation large{500, mean_time_between_failures(made, 500)};
    const FailureRates fitted = fit_failure_rates(small, large);
    CHECK(fitted.per_job_day == doctest::Approx(1.5));
    CHECK(fitted.per_node_day == doctest::Approx(0.01));
    CHECK_THROWS_AS((void)fit_failure_rates(small, small), ModelError);
    // Larger jobs that fail less often; and failures that grow faster than the job.
    CHECK_THROWS_AS((void)fit_failure_rates({1, Seconds{10}}, {2, Seconds{20}}), ModelError);
    CHECK_THROWS_AS((void)fit_failure_rates({1, Seconds{100}}, {2, Seconds{10}}), ModelError);
    CHECK_THROWS_AS((void)fit_failure_rates({0, Seconds{100}}, {2, Seconds{10}}), ModelError);
}

TEST_CASE("preemptions add to failures; nothing that fails is an error") {
    CHECK(mean_time_between_failures({1, 0}, 10, 1) == Seconds{seconds_per_day / 2});
    CHECK_THROWS_WITH_AS((void)mean_time_between_failures({0, 0}, 10),
                         "failures: nothing ever fails; give a rate above zero",
                         ModelError);
    CHECK_THROWS_AS((void)mean_time_between_failures({-1, 0}, 10), ModelError);
    CHECK_THROWS_AS((void)mean_time_between_failures({1, 0}, 0), ModelError);
}

} // namespace bursar
