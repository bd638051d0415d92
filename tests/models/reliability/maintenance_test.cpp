#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/reliability/maintenance.hpp"

namespace bursar::maintenance_test {

TEST_CASE("windows come at set times and go round the nodes") {
    const auto windows = maintenance_windows({hour, day, 2 * hour, 4}, 10, 4 * day);
    REQUIRE(windows.size() == 4);
    const std::int64_t h = hour.count();
    CHECK(windows[0] == MaintenanceWindow{h, 3 * h, 0, 4});
    CHECK(windows[1] == MaintenanceWindow{25 * h, 27 * h, 4, 4});
    CHECK(windows[2] == MaintenanceWindow{49 * h, 51 * h, 8, 2});
    CHECK(windows[3] == MaintenanceWindow{73 * h, 75 * h, 0, 4});
}

TEST_CASE("all nodes at once; a window that begins at the horizon does not count") {
    const auto windows = maintenance_windows({Duration{0}, day, hour, 0}, 10, 2 * day);
    REQUIRE(windows.size() == 2);
    CHECK(windows[1] == MaintenanceWindow{day.count(), (day + hour).count(), 0, 10});
    CHECK(maintenance_windows({3 * day, day, hour, 0}, 10, 2 * day).empty());
}

// arXiv 2407.21783 section 3.3.4: 47 planned interruptions in 54 days.
TEST_CASE("47 planned interruptions in the 54 days of Llama 3") {
    const Duration every{54 * day.count() / 47 + 1};
    CHECK(maintenance_windows({Duration{every.count() / 2}, every, hour, 64}, 2048, 54 * day)
              .size() == 47);
}

TEST_CASE("invalid plans are refused") {
    CHECK_THROWS_AS((void)maintenance_windows({-hour, day, hour, 0}, 1, day), ModelError);
    CHECK_THROWS_AS((void)maintenance_windows({hour, hour, 2 * hour, 0}, 1, day), ModelError);
    CHECK_THROWS_AS((void)maintenance_windows({hour, hour, Duration{0}, 0}, 1, day), ModelError);
}

} // namespace bursar::maintenance_test
