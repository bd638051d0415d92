#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "reports/charts/chart_data.hpp"

namespace bursar::chart_data_test {

TEST_CASE("a chart's data are JSON that ends no script, with instants in full") {
    LineChart chart{{"c", "?", "."},
                    time_axis(1'506'902'400'000, {}, 60 * day, 5),
                    linear_axis("USD", 0, 10, 5),
                    {{"</script><b>\"\n", "s0", {{5'183'999'999, 1.25}}}},
                    LineKind::steps};
    const std::string text = chart_data(chart);
    CHECK(text.find('<') == std::string::npos);
    const auto data = nlohmann::json::parse(text);
    CHECK(data["kind"] == "lines");
    CHECK(data["steps"] == true);
    CHECK(data["x"]["zero"] == 1'506'902'400'000);
    CHECK(data["x"]["ticks"].size() == 5);
    CHECK(data["y"]["title"] == "USD");
    CHECK(data["series"][0]["name"] == "</script><b>\"\\n");
    CHECK(data["series"][0]["points"][0][0] == 5'183'999'999);
    CHECK(data["series"][0]["points"][0][1] == 1.25);
}

TEST_CASE("a stack's data have each layer's values") {
    const StackedChart chart{{"c", "?", "."},
                             time_axis(std::nullopt, {}, 2 * hour, 5),
                             linear_axis("GPUs", 0, 8, 4),
                             {0, 3'600'000},
                             {{"busy", "allocated", {8, 4.5}}, {"idle", "idle", {0, 3.5}}}};
    const auto data = nlohmann::json::parse(chart_data(chart));
    CHECK(data["kind"] == "stack");
    CHECK_FALSE(data["x"].contains("zero"));
    CHECK(data["from"] == nlohmann::json{0, 3'600'000});
    CHECK(data["layers"][0]["values"] == nlohmann::json{8, 4.5});
    CHECK(data["layers"][1]["colour"] == "idle");
}

} // namespace bursar::chart_data_test
