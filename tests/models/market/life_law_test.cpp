#include <cmath>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/market/life_law.hpp"
#include "models/random/philox.hpp"

namespace bursar::life_law_test {

TEST_CASE("quantiles are those of the closed forms") {
    const LifeLaw constant = LifeLaw::exponential(2 * hour);
    CHECK(constant.mean_ms() == doctest::Approx(7.2e6));
    CHECK(constant.at(0.5).count() == doctest::Approx(7.2e6 * std::log(2.0)).epsilon(1e-6));
    CHECK(constant.at(0.9).count() == doctest::Approx(7.2e6 * std::log(10.0)).epsilon(1e-6));
    const LifeLaw early = LifeLaw::weibull(0.5, hour);
    CHECK(early.mean_ms() == doctest::Approx(2 * 3.6e6)); // scale times 2!
    CHECK(early.at(0.9).count() ==
          doctest::Approx(3.6e6 * std::log(10.0) * std::log(10.0)).epsilon(1e-6));
    CHECK(LifeLaw::weibull(2, hour).mean_ms() ==
          doctest::Approx(3.6e6 * std::sqrt(std::acos(-1.0)) / 2));
}

TEST_CASE("resampling draws each given life equally often") {
    const LifeLaw law = LifeLaw::resampled({3 * hour, hour, 2 * hour, hour});
    CHECK(law.at(0.1) == hour);
    CHECK(law.at(0.49) == hour);
    CHECK(law.at(0.51) == 2 * hour);
    CHECK(law.at(0.99) == 3 * hour);
    CHECK(law.at(1 - 0x1.0p-53) == 3 * hour);
    CHECK(law.mean_ms() == doctest::Approx(1.75 * 3.6e6));
}

TEST_CASE("the mean of many draws is the mean") {
    for (const LifeLaw& law : {LifeLaw::exponential(hour),
                               LifeLaw::weibull(0.6, hour),
                               LifeLaw::weibull(3, hour),
                               LifeLaw::resampled({second, minute, hour})}) {
        const RandomStream random{1, Stream::node_supply};
        double sum = 0;
        constexpr std::uint32_t num_draws = 200'000;
        for (std::uint32_t n = 0; n < num_draws; ++n)
            sum += static_cast<double>(law.at(random.uniform(0, n)).count());
        CHECK(sum / num_draws == doctest::Approx(law.mean_ms()).epsilon(0.01));
        CHECK(law.typical().count() == doctest::Approx(law.mean_ms()).epsilon(0.05));
    }
}

TEST_CASE("a draw is at least a millisecond and ends some day") {
    const LifeLaw wide = LifeLaw::weibull(0.1, Duration{std::int64_t{1} << 49});
    CHECK(wide.at(0x1.0p-53) == millisecond);
    CHECK(wide.at(1 - 0x1.0p-53) == max_life);
}

TEST_CASE("invalid laws are refused") {
    CHECK_THROWS_WITH_AS((void)LifeLaw::exponential(Duration{999}),
                         "mean: is below 1 s; nodes that come and go last longer",
                         ModelError);
    CHECK_THROWS_AS((void)LifeLaw::weibull(0.05, hour), ModelError);
    CHECK_THROWS_AS((void)LifeLaw::weibull(-1, hour), ModelError);
    CHECK_THROWS_AS((void)LifeLaw::weibull(1, 2 * max_life), ModelError);
    CHECK_THROWS_AS((void)LifeLaw::resampled({}), ModelError);
    CHECK_THROWS_AS((void)LifeLaw::resampled({Duration{0}}), ModelError);
}

} // namespace bursar::life_law_test
