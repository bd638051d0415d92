#include <cmath>

#include <doctest/doctest.h>

#include "scenarios/catalog/failure_rates.hpp"
#include "scenarios/errors/scenario_error.hpp"

namespace bursar::failure_rates_test {
namespace {

double hours(const FailureRates& rates, double nodes) {
    return mean_time_between_failures(rates, nodes).count() / seconds_per_hour;
}

FailureRates rates_of(std::string_view name) {
    const FailureCatalogue catalogue = builtin_failure_rates();
    const NamedFailureRates* found = catalogue.find(name);
    REQUIRE(found != nullptr);
    return found->rates;
}

std::string mistakes_of(const std::string& text) {
    try {
        (void)read_failure_rates_text(text, "own.yaml");
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return "accepted";
}

} // namespace

TEST_CASE("the node rate of RSC-1 gives its published projections") { // FORMULAS 6.4
    const FailureRates rsc1 = rates_of("rsc-1");
    CHECK(hours(rsc1, 16384 / 8) == doctest::Approx(1.80).epsilon(0.003));
    CHECK(hours(rsc1, 131072 / 8) == doctest::Approx(0.23).epsilon(0.03));
    CHECK(hours(rsc1, 1024 / 8) == doctest::Approx(28.8).epsilon(0.003)); // measured: 7.9
}

TEST_CASE("Llama 3's interruptions give its 3.09 hours") {
    CHECK(hours(rates_of("llama-3"), 16384 / 8) == doctest::Approx(3.09).epsilon(0.002));
    CHECK(rates_of("llama-3").per_node_day == 419.0 / (54 * 2048));
}

TEST_CASE("the default is RSC-1's rate of nodes, beside what was measured on jobs") {
    const NamedFailureRates& usual = builtin_failure_rates().all.front();
    CHECK(usual.name == "rsc-1");
    CHECK(hours(usual.rates, 1) / 24 == doctest::Approx(154).epsilon(0.002));
    CHECK(hours(usual.rates, 48) == doctest::Approx(77).epsilon(0.002));
    REQUIRE(usual.measured.size() == 2);
    CHECK(usual.measured[0].hours / 24 == doctest::Approx(47.7));
    CHECK(usual.measured[1].gpus == 1024);
    CHECK(usual.measured[1].hours == 7.9);
}

TEST_CASE("failures of GPUs a week on BLOOM's 48 nodes: one or two") {
    CHECK(7 * 24 / hours(rates_of("bloom-176b"), 48) == doctest::Approx(1.5));
}

TEST_CASE("jobs restart by their size") {
    const FailureCatalogue& catalogue = builtin_failure_rates();
    CHECK(catalogue.restart_of(0.5).minutes == 10);
    CHECK(catalogue.restart_of(127).minutes == 10);
    CHECK(catalogue.restart_of(128).minutes == 5);
    CHECK(catalogue.restart_of(2048).minutes == 2);
}

TEST_CASE("the fitted rates agree with those measured at 1024 and 16384 GPUs") {
    const FailureRates fitted = rates_of("fitted");
    CHECK(hours(fitted, 128) == doctest::Approx(7.9));
    CHECK(hours(fitted, 2048) == doctest::Approx(2.36).epsilon(0.002));
    CHECK(hours(fitted, 2048) > 1.8);
    CHECK(hours(fitted, 2048) < 3.1);
    // The two rates through 7.9 h of 128 nodes, and the geometric mean of 1.8 h and 54 d / 419 of
    // 2048.
    const double small = 24 / 7.9;
    const double large = 24 / std::sqrt(1.8 * 54 * 24 / 419);
    const double per_node = (large - small) / (2048 - 128);
    CHECK(fitted.per_node_day == doctest::Approx(per_node).epsilon(1e-14));
    CHECK(fitted.per_job_day == doctest::Approx(small - 128 * per_node).epsilon(1e-14));
}

TEST_CASE("OPT-175B's machines: two a day") {
    CHECK(hours(rates_of("opt-175b"), 124) == doctest::Approx(12));
}

TEST_CASE("Llama 3's failures by component add up, those of GPUs to 268 of 419") {
    const FailureCatalogue catalogue = builtin_failure_rates();
    const FailureModel model = failure_model(*catalogue.find("llama-3"), {hour, hour});
    REQUIRE(model.components.size() == 18);
    double per_node = 0;
    double of_gpus = 0;
    for (const FailureComponent& component : model.components) {
        per_node += component.per_node_hour + 8 * component.per_gpu_hour;
        of_gpus += 8 * component.per_gpu_hour;
        CHECK(component.repair.mean == hour);
    }
    CHECK(per_node * 54 * 24 * 2048 == doctest::Approx(419));
    CHECK(of_gpus * 54 * 24 * 2048 == doctest::Approx(268));
    CHECK(model.components[0].name == "GPU");
    CHECK(model.components[0].per_gpu_hour * 54 * 24 * 16384 == doctest::Approx(148));
}

TEST_CASE("rates without components are rates of nodes") {
    const FailureCatalogue catalogue = builtin_failure_rates();
    const FailureModel model = failure_model(*catalogue.find("rsc-1"), {hour, 2 * hour});
    REQUIRE(model.components.size() == 1);
    CHECK(model.components[0].name == "node");
    CHECK(model.components[0].per_node_hour * 24 == doctest::Approx(0.0065));
}

TEST_CASE("impossible components are reported by place") {
    const std::string begin = "rates:\n  - {name: a, nodes: {min: 1, max: 8}, source: s, ";
    CHECK(mistakes_of(begin + "per_job_day: 1, components: [{name: x, failures: 1, of: gpu}]}\n")
              .find("nodes do not fail") != std::string::npos);
    CHECK(mistakes_of(begin +
                      "per_node_day: 1, components: [{name: x, failures: 1, of: gpu}, {name: "
                      "x, failures: 2, of: gpu}]}\n")
              .find("two are called \"x\"") != std::string::npos);
    CHECK(mistakes_of(begin + "per_node_day: 1, components: [{name: x, failures: 1, of: rack}]}\n")
              .find("\"rack\"") != std::string::npos);
}

TEST_CASE("a user's file replaces them, and mistakes are reported by place") {
    const FailureCatalogue own = read_failure_rates_text(
        "rates:\n  - {name: mine, per_job_day: 0.5, nodes: {min: 1, max: 8}, source: log}\n",
        "own.yaml");
    REQUIRE(own.all.size() == 1);
    CHECK(own.find("mine")->rates.per_job_day == 0.5);
    CHECK(own.find("fitted") == nullptr);
    CHECK(own.restart_of(1).minutes == 10); // what it leaves out is the built-in file's
    CHECK(own.writes.most_gb_s == 2000);
    CHECK(mistakes_of("rates:\n  - {name: a, nodes: {min: 1, max: 8}, source: s}\n")
              .find("nothing ever fails") != std::string::npos);
    CHECK(mistakes_of("rates:\n  - {name: a, per_job_day: 1, nodes: {min: 9, max: 8}, source: s}\n")
              .find("the range is empty") != std::string::npos);
    CHECK_THROWS_AS((void)read_failure_rates("no/such/file.yaml"), ScenarioError);
}

} // namespace bursar::failure_rates_test
