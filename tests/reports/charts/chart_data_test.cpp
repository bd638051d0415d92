#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "reports/charts/chart_data.hpp"

namespace bursar::chart_data_test {

TEST_CASE("a chart's data are JSON that ends no script, with complete instants") {
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

TEST_CASE("rows have their labels, and absent ends of an interval are null") {
    const Axis x = linear_axis("USD", 0, 10, 5);
    const auto bars = nlohmann::json::parse(
        chart_data(BarChart{{"c", "?", "."}, x, {{"a", "3 USD", "s1", 1, 4}}}));
    CHECK(bars["kind"] == "bars");
    CHECK(bars["rows"] ==
          nlohmann::json::parse(R"([{"name":"a","value":"3 USD","colour":"s1","from":1,"to":4}])"));
    const auto intervals = nlohmann::json::parse(chart_data(
        IntervalChart{{"c", "?", "."}, x, {{"b", "+2", "worse", 2, std::nullopt, 3.5}}}));
    CHECK(intervals["kind"] == "intervals");
    CHECK(intervals["rows"][0]["low"].is_null());
    CHECK(intervals["rows"][0]["high"] == 3.5);
    const GanttChart gantt{
        {"c", "?", "."},
        time_axis(1'506'902'400'000, {}, 60 * day, 5),
        {{"waiting", "waiting"}},
        {{"job 1", "8 GPUs", {{5'183'999'998, 5'183'999'999, "waiting", "<b>"}}}}};
    const auto spans = nlohmann::json::parse(chart_data(gantt));
    CHECK(spans["kind"] == "spans");
    CHECK(spans["legend"][0]["name"] == "waiting");
    CHECK(spans["rows"][0]["spans"][0] ==
          nlohmann::json{5'183'999'998, 5'183'999'999, "waiting", "<b>", 0, 1});
}

TEST_CASE("a map's data have the shades of its drawing, and none for an empty cell") {
    const HeatMap map{{"c", "?", "."}, "nodes", "busy", {"1", ""}, {"a"}, {0.49, std::nullopt}};
    const auto data = nlohmann::json::parse(chart_data(map));
    CHECK(data["kind"] == "map");
    CHECK(data["shades"] == nlohmann::json{2, nullptr});
    CHECK(data["legend"].size() == 6);
    CHECK(data["legend"][5] == nlohmann::json{{"name", "100 % busy"}, {"colour", "h5"}});
    CHECK(data["columns"] == nlohmann::json{"1", ""});
    CHECK(chart_svg(map).find("class=\"fill cells h2\"") != std::string::npos);
}

TEST_CASE("points, parallel lines and flows have separate data") {
    const Axis axis = linear_axis("USD", 0, 10, 5);
    const auto points = nlohmann::json::parse(chart_data(
        ScatterChart{{"c", "?", "."}, axis, axis, {}, {{1, 2, "one", "better", true}}, {0}}));
    CHECK(points["kind"] == "points");
    CHECK(points["points"][0] == nlohmann::json{1, 2, "better", "one", true});
    CHECK(points["front"] == nlohmann::json{0});
    ScatterChart many{{"c", "?", "."}, axis, axis, {}, {}, {}};
    many.clouds = {{"worse d1", {{1, 2}, {3, 4}}}};
    many.edges = {{"worse", {5}, {}}};
    many.has_diagonal = true;
    const auto clouds = nlohmann::json::parse(chart_data(many));
    CHECK(clouds["clouds"][0]["at"] == nlohmann::json::parse("[[1,2],[3,4]]"));
    CHECK(clouds["edges"][0]["top"] == nlohmann::json{5});
    CHECK(clouds["edges"][0]["right"].empty());
    CHECK(clouds["diagonal"] == true);
    const auto parallel = nlohmann::json::parse(
        chart_data(ParallelChart{{"c", "?", "."},
                                 {},
                                 {{"nodes", {{0, "4"}, {1, "8"}}}, {"cost", {}}},
                                 {{"scenario 1", "unclear faint", {0, 0.25}}}}));
    CHECK(parallel["kind"] == "parallel");
    CHECK(parallel["axes"][0]["ticks"][1] == nlohmann::json{1, "8"});
    CHECK(parallel["lines"][0]["at"] == nlohmann::json{0, 0.25});
    const auto flows = nlohmann::json::parse(chart_data(SankeyChart{
        {"c", "?", "."}, {{"paid", "4", "paid", 4, 0, 0}, {"idle", "1", "idle", 1, 1, 0}}}));
    CHECK(flows["kind"] == "flows");
    CHECK(flows["parts"][1]["column"] == 1);
    CHECK(flows["parts"][1]["from"] == 0);
}

} // namespace bursar::chart_data_test
