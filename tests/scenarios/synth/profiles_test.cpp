#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include <doctest/doctest.h>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/synth/profiles.hpp"

namespace bursar::profiles_test {
namespace {

double normal_cdf(double z) {
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

std::optional<double> target(const SyntheticProfile& profile, std::string_view name) {
    const auto found = std::ranges::find(profile.targets, name, &Target::name);
    return found == profile.targets.end() ? std::nullopt : std::optional{found->value};
}

double gpus(const GangWeight& gang) {
    return gang.gpus * (gang.gpu_milli / 1000.0);
}

template <class Rows>
double total_weight(const Rows& rows) {
    double sum = 0;
    for (const auto& row : rows)
        sum += row.weight;
    return sum;
}

/// What the generator's tables mean, worked out without drawing anything.
struct Expectation {
    double mean_gpus{};
    double mean_run_s{};
    double mean_gpu_s{};
    double below_median{}; ///< probability of a run no longer than the published median
    std::map<JobEnd, double> gpu_s;
};

// Run times are lognormal below the maximum M. With b = (ln M - location) / sigma:
//   mean = exp(location + sigma^2 / 2) Phi(b - sigma) / Phi(b),  P(run <= x) = Phi(x') / Phi(b).
Expectation expectation(const SyntheticProfile& profile) {
    const double sigma = profile.log_sigma;
    const double median_run_s = *target(profile, "median_run_s");
    Expectation out;
    for (const GangWeight& gang : profile.gangs) {
        const double gang_share = gang.weight / total_weight(profile.gangs);
        out.mean_gpus += gang_share * gpus(gang);
        for (const EndProfile& end : profile.ends) {
            const double share = gang_share * end.weight / total_weight(profile.ends);
            const double location = end.log_median_s + profile.size_exponent * std::log(gpus(gang));
            const double b = (std::log(profile.max_run_s) - location) / sigma;
            const double mean =
                std::exp(location + sigma * sigma / 2) * normal_cdf(b - sigma) / normal_cdf(b);
            out.mean_run_s += share * mean;
            out.mean_gpu_s += share * mean * gpus(gang);
            out.gpu_s[end.end] += share * mean * gpus(gang);
            out.below_median +=
                share * normal_cdf((std::log(median_run_s) - location) / sigma) / normal_cdf(b);
        }
    }
    return out;
}

const std::map<JobEnd, std::string> end_names{
    {JobEnd::completed, "completed"}, {JobEnd::cancelled, "cancelled"}, {JobEnd::failed, "failed"}};

} // namespace

TEST_CASE("the tables of a profile mean the published statistics") {
    for (const std::string_view like : synthetic_names()) {
        CAPTURE(like);
        const SyntheticProfile& profile = synthetic_profile(like);
        const Expectation expected = expectation(profile);
        CHECK(expected.mean_gpus == doctest::Approx(*target(profile, "mean_gpus")).epsilon(1e-6));
        CHECK(expected.mean_run_s == doctest::Approx(*target(profile, "mean_run_s")).epsilon(1e-6));
        CHECK(expected.below_median == doctest::Approx(0.5).epsilon(1e-6));
        CHECK(profile.max_run_s == *target(profile, "max_run_s"));
        if (const auto gpu_s = target(profile, "mean_gpu_s"))
            CHECK(expected.mean_gpu_s == doctest::Approx(*gpu_s).epsilon(1e-6));
        if (profile.ends.size() == 1)
            continue;
        for (const EndProfile& end : profile.ends) {
            CAPTURE(end_names.at(end.end));
            // Published to three digits, and Philly's job shares add up to 0.999.
            CHECK(end.weight / total_weight(profile.ends) ==
                  doctest::Approx(*target(profile, "jobs_" + end_names.at(end.end))).epsilon(2e-3));
            CHECK(expected.gpu_s.at(end.end) / expected.mean_gpu_s ==
                  doctest::Approx(*target(profile, "gpu_time_" + end_names.at(end.end)))
                      .epsilon(2e-3));
        }
    }
}

TEST_CASE("half of the jobs ask for no more GPUs than the published median") {
    for (const std::string_view like : synthetic_names()) {
        CAPTURE(like);
        const SyntheticProfile& profile = synthetic_profile(like);
        const double median = *target(profile, "median_gpus");
        double below = 0;
        double up_to = 0;
        for (const GangWeight& gang : profile.gangs) {
            below += gpus(gang) < median ? gang.weight : 0;
            up_to += gpus(gang) <= median ? gang.weight : 0;
        }
        CHECK(below < total_weight(profile.gangs) / 2);
        CHECK(up_to >= total_weight(profile.gangs) / 2);
    }
}

TEST_CASE("a daily cycle is relative to its mean, to its rounding") {
    for (const std::string_view like : synthetic_names()) {
        CAPTURE(like);
        double sum = 0;
        for (const double rate : synthetic_profile(like).hours)
            sum += rate;
        CHECK(sum / 24 == doctest::Approx(1).epsilon(0.005));
    }
}

TEST_CASE("targets are the profile's, and an unknown name lists the known ones") {
    CHECK(targets("philly").size() == 15);
    CHECK(targets("helios").front().name == "mean_gpus");
    CHECK(targets("pai").front().value == 0.683);
    CHECK_THROWS_WITH_AS((void)targets("kalos"),
                         "like: unknown workload \"kalos\"; one of: philly, helios, pai",
                         ScenarioError);
    CHECK_THROWS_WITH_AS((void)targets("phily"),
                         "like: unknown workload \"phily\"; did you mean \"philly\"?",
                         ScenarioError);
}

} // namespace bursar::profiles_test
