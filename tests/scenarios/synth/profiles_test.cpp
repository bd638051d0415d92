#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "models/units/physics.hpp"

#include "scenarios/catalog/profiles.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/synth/synthesise.hpp"

#include "tests/scenarios/traces/temporary_file.hpp"

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
    return real(gang.gpus) * real(gang.gpu_milli) / 1000.0;
}

template <class Rows>
double total_weight(const Rows& rows) {
    double sum = 0;
    for (const auto& row : rows)
        sum += real(row.weight);
    return sum;
}

/// The statistics implied by the generator's tables, computed without drawing.
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
        const double gang_share = real(gang.weight) / total_weight(profile.gangs);
        out.mean_gpus += gang_share * gpus(gang);
        for (const EndProfile& end : profile.ends) {
            const double share = gang_share * real(end.weight) / total_weight(profile.ends);
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

TEST_CASE("the tables of a profile imply the published statistics") {
    for (const std::string& like : builtin_profiles().names()) {
        CAPTURE(like);
        const SyntheticProfile& profile = builtin_profiles().profile(like);
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
            CHECK(real(end.weight) / total_weight(profile.ends) ==
                  doctest::Approx(*target(profile, "jobs_" + end_names.at(end.end))).epsilon(2e-3));
            CHECK(expected.gpu_s.at(end.end) / expected.mean_gpu_s ==
                  doctest::Approx(*target(profile, "gpu_time_" + end_names.at(end.end)))
                      .epsilon(2e-3));
        }
    }
}

TEST_CASE("half of the jobs request at most the published median of GPUs") {
    for (const std::string& like : builtin_profiles().names()) {
        CAPTURE(like);
        const SyntheticProfile& profile = builtin_profiles().profile(like);
        const double median = *target(profile, "median_gpus");
        double below = 0;
        double up_to = 0;
        for (const GangWeight& gang : profile.gangs) {
            below += gpus(gang) < median ? real(gang.weight) : 0;
            up_to += gpus(gang) <= median ? real(gang.weight) : 0;
        }
        CHECK(below < total_weight(profile.gangs) / 2);
        CHECK(up_to >= total_weight(profile.gangs) / 2);
    }
}

TEST_CASE("a daily cycle is relative to its mean, up to rounding") {
    for (const std::string& like : builtin_profiles().names()) {
        CAPTURE(like);
        double sum = 0;
        for (const double rate : builtin_profiles().profile(like).hours)
            sum += rate;
        CHECK(sum / 24 == doctest::Approx(1).epsilon(0.005));
    }
}

TEST_CASE("targets are the profile's, and an unknown name lists the known ones") {
    CHECK(builtin_profiles().profile("philly").targets.size() == 15);
    CHECK(builtin_profiles().profile("helios").targets.front().name == "mean_gpus");
    CHECK(builtin_profiles().profile("pai").targets.front().value == 0.683);
    CHECK_THROWS_WITH_AS((void)builtin_profiles().profile("kalos").targets,
                         "like: unknown workload \"kalos\"; one of: philly, helios, pai",
                         ScenarioError);
    CHECK_THROWS_WITH_AS((void)builtin_profiles().profile("phily").targets,
                         "like: unknown workload \"phily\"; did you mean \"philly\"?",
                         ScenarioError);
}

TEST_CASE("GPU time per job is the published total over the published jobs, to the last bit") {
    CHECK(*target(builtin_profiles().profile("philly"), "mean_gpu_s") ==
          (2'210'176'414.0 + 2'025'326'056.0 + 2'659'215'061.0) / 112'956);
    CHECK(*target(builtin_profiles().profile("helios"), "mean_gpu_s") ==
          (39'994'296'320.0 + 30'715'109'125.0 + 7'288'334'702.0) / 1'580'464);
}

namespace {

/// A file of one profile; `change` replaces its key.
std::string own_profile(const std::string& key = {}, const std::string& value = {}) {
    const std::pair<std::string, std::string> keys[] = {
        {"name", "mine"},
        {"origin", "nowhere"},
        {"zero", "2024-01-01"},
        {"gangs", "[{gpus: 8, weight: 3}, {gpus: 16, gpu_milli: 500, weight: 1}]"},
        {"ends", "[{end: completed, weight: 1, log_median: 5}]"},
        {"tenants", "[{name: a, weight: 1}]"},
        {"size_exponent", "0"},
        {"log_sigma", "1"},
        {"max_run", "1 h"},
        {"bursts", "{share: 0.5, gap: 0.5, jobs: 10}"},
        {"hours", "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"},
    };
    std::string text = "profiles:\n";
    for (const auto& [own, usual] : keys)
        text +=
            (own == "name" ? "  - " : "    ") + own + ": " + (own == key ? value : usual) + "\n";
    return text;
}

std::string mistake_in(const std::string& text) {
    try {
        read_profiles_text(text, "own.yaml");
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("a user's profile is drawn from like the built-in ones") {
    const Profiles profiles = read_profiles_text(own_profile(), "own.yaml");
    REQUIRE(profiles.names() == std::vector<std::string>{"mine"});
    const SyntheticProfile& mine = profiles.profile("mine");
    CHECK(mine.zero_utc_ms == 1'704'067'200'000);
    CHECK(mine.gangs[0].gpu_milli == 1000);
    CHECK(mine.gangs[1].gpu_milli == 500);
    CHECK(mine.max_run_s == 3600);

    const test::TemporaryFile file{own_profile()};
    SyntheticSpec spec{.like = "mine", .jobs = 50, .gpus = 64, .profiles = file.path()};
    const Trace trace = synthesise(spec);
    CHECK(trace.size() == 50);
    CHECK(trace.tenants == std::vector<std::string>{"a"});
    CHECK(std::ranges::all_of(trace.gpus, [](std::uint32_t n) { return n == 8 || n == 16; }));
    spec.gpus = 7;
    CHECK_THROWS_WITH_AS(static_cast<void>(synthesise(spec)),
                         "gpus: 7 GPUs are fewer than the smallest gang of mine; at least 8",
                         ScenarioError);
    spec.like = "philly";
    CHECK_THROWS_WITH_AS(static_cast<void>(synthesise(spec)),
                         "like: unknown workload \"philly\"; one of: mine",
                         ScenarioError);
}

TEST_CASE("a wrong profile is reported with its place") {
    CHECK(mistake_in(own_profile()).empty());
    CHECK(mistake_in(own_profile("hours", "[1, 2]")) ==
          "own.yaml:12:12: profiles.mine.hours: 2 rates (a day has 24 hours)");
    CHECK(mistake_in(own_profile("max_run", "5 s")) ==
          "own.yaml:10:14: profiles.mine.max_run: almost all runs are longer (those of 8 GPUs "
          "among them)");
    CHECK(mistake_in(own_profile("zero", "2024-13-01")) ==
          "own.yaml:4:11: profiles.mine.zero: \"2024-13-01\" is not a date");
    CHECK(mistake_in(own_profile("bursts", "{share: 0, gap: 0.5, jobs: 10}"))
              .starts_with("own.yaml:11:21: profiles.mine.bursts.share: \"0\" is too small"));
}

} // namespace bursar::profiles_test
