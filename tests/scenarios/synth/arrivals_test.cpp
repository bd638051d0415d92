#include <array>
#include <cmath>

#include <doctest/doctest.h>

#include "models/random/philox.hpp"

#include "scenarios/synth/synthesise.hpp"

namespace bursar::arrivals_test {
namespace {

double variation(const std::vector<double>& values) {
    double mean = 0;
    for (const double value : values)
        mean += value / static_cast<double>(values.size());
    double variance = 0;
    for (const double value : values)
        variance += (value - mean) * (value - mean) / static_cast<double>(values.size());
    return std::sqrt(variance) / mean;
}

double gap_variation(const std::vector<std::int64_t>& times) {
    std::vector<double> gaps;
    for (std::size_t i = 1; i < times.size(); ++i)
        gaps.push_back(static_cast<double>(times[i] - times[i - 1]));
    return variation(gaps);
}

double hourly_variation(const std::vector<std::int64_t>& times) {
    std::vector<double> counts(static_cast<std::size_t>(times.back() / 3600) + 1);
    for (const std::int64_t time : times)
        ++counts[static_cast<std::size_t>(time / 3600)];
    return variation(counts);
}

/// Jobs at the original's rate, for which burstiness was measured.
std::vector<std::int64_t> original(std::string_view like, std::size_t jobs, double mean_gap_s) {
    return arrival_times_s(builtin_profiles().profile(like),
                           jobs,
                           std::llround(mean_gap_s * static_cast<double>(jobs - 1)),
                           1);
}

} // namespace

TEST_CASE("arrivals cover the given span") {
    const SyntheticProfile& profile = builtin_profiles().profile("philly");
    CHECK(arrival_times_s(profile, 1, 1000, 1) == std::vector<std::int64_t>{0});
    CHECK(arrival_times_s(profile, 2, 1000, 1) == std::vector<std::int64_t>{0, 1000});
    CHECK(arrival_times_s(profile, 3, 0, 1) == std::vector<std::int64_t>{0, 0, 0});
}

// Figures measured on the copies that profiles.cpp names; a single sample path deviates.
TEST_CASE("submissions are as bursty as the originals'") {
    SUBCASE("Philly: gaps of 71.5 s vary by 2.33, hourly counts by 1.8") {
        const auto times = original("philly", 64'000, 71.5);
        CHECK(gap_variation(times) == doctest::Approx(2.33).epsilon(0.15));
        CHECK(hourly_variation(times) == doctest::Approx(1.8).epsilon(0.15));
    }
    SUBCASE("Helios (Venus): gaps of 135 s vary by 2.9 to 4.7") {
        const double value = gap_variation(original("helios", 73'000, 135));
        CHECK(value > 2.9);
        CHECK(value < 4.7);
    }
    SUBCASE("PAI: gaps vary by 1.38 and hourly counts by 0.43 in a 1-in-12.2 sample") {
        const auto all = original("pai", 500'000, 94.5 / 12.2);
        const RandomStream coin{2, Stream::arrivals};
        std::vector<std::int64_t> sample;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (coin.uniform(i, 0) < 1 / 12.2)
                sample.push_back(all[i]);
        CHECK(gap_variation(sample) > 1.2);
        CHECK(gap_variation(sample) < 1.5);
        CHECK(hourly_variation(sample) == doctest::Approx(0.43).epsilon(0.2));
    }
}

TEST_CASE("each hour of the day gets its share") {
    const SyntheticProfile& profile = builtin_profiles().profile("helios");
    const std::int64_t days = 300;
    const std::size_t jobs = 300'000;
    std::array<double, 24> counts{};
    for (const std::int64_t time : arrival_times_s(profile, jobs, days * 86'400, 1))
        ++counts[static_cast<std::size_t>(time % 86'400 / 3600)];
    double sum = 0;
    for (const double rate : profile.hours)
        sum += rate;
    for (std::size_t h = 0; h < 24; ++h) {
        CAPTURE(h);
        const double expected = profile.hours[h] / sum * static_cast<double>(jobs);
        CHECK(counts[h] == doctest::Approx(expected).epsilon(0.15));
    }
}

} // namespace bursar::arrivals_test
