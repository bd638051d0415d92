#include <optional>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "scenarios/traces/text/timestamps.hpp"

namespace bursar::clock_time_test {

TEST_CASE("time spans of batch systems, in milliseconds") {
    const std::pair<std::string_view, std::int64_t> spans[]{
        {"00:00:00", 0},
        {"00:10", 10'000},
        {"10:52", 652'000},
        {"90:00", 5'400'000},
        {"02:10:52", 7'852'000},
        {"1-02:10:52", 94'252'000}, // 86,400 + 7,200 + 600 + 52 s
        {"120:00:00", 432'000'000},
        {"00:00:01.2346", 1'235},
    };
    for (const auto& [text, ms] : spans) {
        CAPTURE(text);
        CHECK(parse_clock_time(text) == ms);
    }
}

TEST_CASE("texts that are no time span") {
    for (const std::string_view text : {"",
                                        "52",
                                        "1-",
                                        "1-02",
                                        "1-02:10",
                                        "1-24:00:00",
                                        "00:60",
                                        "00:60:00",
                                        "-1:00:00",
                                        "1:2:3:4",
                                        "a:b",
                                        ":",
                                        "::",
                                        "1-2-3:00:00",
                                        "00:00:",
                                        "UNLIMITED",
                                        "999999999-00:00:00",
                                        "999999999999:00:00"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_clock_time(text));
    }
}

} // namespace bursar::clock_time_test
