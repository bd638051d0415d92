// The command `bursar market`.

#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/places.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::market_test {
namespace {

/// Two zones; the first at 1 USD for ten hours, 3 USD for two, 1 USD for twelve.
constexpr std::string_view two_zones = "time,price,type,zone\n"
                                       "0,1,p3.2xlarge,us-east-1a\n"
                                       "36000,3,p3.2xlarge,us-east-1a\n"
                                       "43200,1,p3.2xlarge,us-east-1a\n"
                                       "86400,1,p3.2xlarge,us-east-1a\n"
                                       "0,2,p3.2xlarge,us-east-1b\n"
                                       "86400,2,p3.2xlarge,us-east-1b\n";

} // namespace

TEST_CASE("market info: every offer of a file is a row, one of them has all figures") {
    const TemporaryFolder folder;
    const std::string file = folder.write("prices.csv", two_zones);
    const Answer both = bursar({"market", "info", file, "--format", "csv"});
    CHECK(both.code == 0);
    CHECK(both.out ==
          "type,region,zone,product,purchase,mean_usd_per_hour,min_usd_per_hour,max_usd_per_hour,"
          "changes,changes_per_day,length_s,of_on_demand\n"
          "p3.2xlarge,us-east-1,us-east-1a,,,1.166666667,1,3,2,2,86400,\n"
          "p3.2xlarge,us-east-1,us-east-1b,,,2,2,2,0,0,86400,\n");

    const Answer one =
        bursar({"market", "info", file, "--zone", "us-east-1a", "--gpus", "2", "--format", "json"});
    CHECK(one.code == 0);
    const nlohmann::json found = nlohmann::json::parse(one.out);
    CHECK(found["price"]["mean_usd_per_hour"] == doctest::Approx(28.0 / 24));
    CHECK(found["price"]["mean_usd_per_gpu_hour"] == doctest::Approx(14.0 / 24));
    CHECK(found["price"]["changes"] == 2);
    CHECK(found["up_time"]["stretches"] == 2);
    CHECK(found["up_time"]["p90_s"] == 43200);
    CHECK(found["up_time"]["share"] == doctest::Approx(22.0 / 24));
    CHECK(found["file"]["hash"].get<std::string>().size() == 16);
}

TEST_CASE("market info: compared with the on-demand price or a bid, drawn as text and as SVG") {
    const TemporaryFolder folder;
    const std::string file = folder.write("prices.csv", two_zones);
    const Answer table = bursar({"market",
                                 "info",
                                 file,
                                 "--zone",
                                 "us-east-1a",
                                 "--on-demand",
                                 "4",
                                 "--svg",
                                 folder.file("p.svg")});
    CHECK(table.code == 0);
    CHECK(has(table.out, "- - on demand 4 USD/h"));
    CHECK(has(table.out, "29.17 %"));
    CHECK(has(table.out, "Time at or below the price on demand"));
    CHECK(has(read_file(folder.file("p.svg")), "on demand 4 USD/h"));
    const Answer bid = bursar(
        {"market", "info", file, "--zone", "us-east-1a", "--bid", "0.5", "--format", "json"});
    CHECK(nlohmann::json::parse(bid.out)["up_time"]["stretches"] == 0);
}

TEST_CASE("market info: questions without an answer are refused with advice") {
    const TemporaryFolder folder;
    const std::string file = folder.write("prices.csv", two_zones);
    const Answer zone = bursar({"market", "info", file, "--zone", "us-east-1x"});
    CHECK(zone.code == 2);
    CHECK(has(zone.err, "--zone: \"us-east-1x\" is no zone of"));
    CHECK(has(zone.err, "did you mean \"us-east-1a\" or \"us-east-1b\"?"));
    const Answer drawn = bursar({"market", "info", file, "--svg", folder.file("p.svg")});
    CHECK(drawn.code == 2);
    CHECK(has(drawn.err, "--svg: draws one price over time (several match)"));
    const Answer bid = bursar({"market", "info", file, "--bid", "1"});
    CHECK(bid.code == 2);
    CHECK(has(bid.err, "--bid: 2 prices match"));
    const std::string bad = folder.write("bad.csv", "time,price\n0,1\n3600,-2\n");
    const Answer negative = bursar({"market", "info", bad});
    CHECK(negative.code == 2);
    CHECK(has(negative.err, "bad.csv:3:6: price: \"-2\" is negative"));
    CHECK(bursar({"market", "info", folder.file("none.csv")}).code == 2);
}

TEST_CASE("market info: a file is not overwritten by a drawing, and a day's list has no length") {
    const TemporaryFolder folder;
    const std::string file = folder.write("prices.csv", two_zones);
    CHECK(bursar({"market", "info", file, "--zone", "us-east-1a", "--svg", file}).code != 0);
    CHECK(read_file(file) == two_zones);
    const std::string list = folder.write(
        "vms.csv", "InstanceType,AcceleratorCount,Region,Price,SpotPrice\n8x,8.0,R,16,4\n");
    const Answer spot = bursar({"market", "info", list, "--purchase", "spot", "--format", "json"});
    const nlohmann::json found = nlohmann::json::parse(spot.out);
    CHECK(found["price"]["mean_usd_per_gpu_hour"] == doctest::Approx(0.5));
    CHECK(found["on_demand"]["ratio"] == doctest::Approx(0.25));
    CHECK_FALSE(found.contains("up_time"));
}

TEST_CASE("market fit: the families compared with the file, the chosen one, and a series of it") {
    const TemporaryFolder folder;
    std::string text = "time,price\n";
    int hour = 0;
    for (const int cheap : {30, 18, 24, 27, 21, 24, 20, 26, 25, 23, 22}) {
        text +=
            std::to_string(3600 * hour) + ",1\n" + std::to_string(3600 * (hour + cheap)) + ",3\n";
        hour += cheap + 6;
    }
    const std::string file = folder.write("prices.csv", text);
    const std::string out = folder.file("generated.csv");
    const Answer answer = bursar(
        {"market", "fit", file, "--bid", "2", "--out", out, "--days", "400", "--format", "json"});
    CHECK(answer.code == 0);
    const nlohmann::json found = nlohmann::json::parse(answer.out);
    CHECK(found["fit"]["family"] == "regime-switching");
    CHECK(found["fit"]["worst"] <= 0.1);
    REQUIRE(found["families"].size() == 4);
    CHECK(found["families"][0]["family"] == "the file");
    CHECK(found["families"][0]["worst"] == 0);
    const double mean = found["families"][0]["mean_usd_per_hour"];

    const Answer again = bursar({"market", "info", out, "--format", "json"});
    CHECK(again.code == 0);
    const nlohmann::json generated = nlohmann::json::parse(again.out);
    CHECK(generated["price"]["length_s"] == 400 * 86400);
    CHECK(generated["price"]["mean_usd_per_hour"] == doctest::Approx(mean).epsilon(0.1));
    const std::string first = read_file(out);
    bursar({"market", "fit", file, "--bid", "2", "--out", out, "--days", "400"});
    CHECK_MESSAGE(read_file(out) == first, "same seed, same bytes");
    bursar({"market", "fit", file, "--bid", "2", "--out", out, "--days", "400", "--seed", "2"});
    CHECK(read_file(out) != first);
}

TEST_CASE("market fit: files that cannot be fitted, or badly") {
    const TemporaryFolder folder;
    const std::string constant = folder.write("constant.csv", "time,price\n0,1\n86400,1\n");
    const Answer nothing = bursar({"market", "fit", constant});
    CHECK(nothing.code == 2);
    CHECK(has(nothing.err, "never changes (there is nothing to fit)"));
    const std::string few = folder.write("few.csv", "time,price\n0,1\n3600,3\n7200,1\n90000,1\n");
    const Answer warned = bursar({"market", "fit", few});
    CHECK(warned.code == 0);
    CHECK(has(warned.err, "warning: 2 stretches at or below the bid"));
    CHECK(bursar({"market", "fit", few, "--days", "3"}).code == 2);
    CHECK(bursar({"market", "fit", few, "--family", "normal"}).code == 2);
    const Answer asked = bursar({"market", "fit", few, "--family", "mean-reverting"});
    CHECK(has(asked.out, "as given"));
}

TEST_CASE(
    "market info: availability is distinguished from prices; one file in full, several as rows") {
    const TemporaryFolder folder;
    // Up for 2 h, 1 h and 3 h of ten.
    const std::string ticks = folder.write(
        "a.json", R"({"metadata": {"gap_seconds": 3600}, "data": [1, 1, 0, 1, 0, 0, 1, 1, 1, 0]})");
    const Answer one = bursar({"market", "info", ticks, "--format", "json"});
    CHECK(one.code == 0);
    const nlohmann::json found = nlohmann::json::parse(one.out);
    CHECK(found["nodes"]["availability"] == doctest::Approx(0.6));
    CHECK(found["nodes"]["node_hours"] == doctest::Approx(6));
    CHECK(found["nodes"]["changes_per_day"] == doctest::Approx(12));
    CHECK(found["nodes"]["launches"] == 3);
    CHECK(found["nodes"]["mean_up_s"] == 7200);
    CHECK(found["nodes"]["p90_up_s"] == 10800);
    CHECK(found["file"]["format"] == "skypilot-trace");
    CHECK(found["generators"].size() == 4);
    CHECK(found["generator"]["nodes"] == 1);
    CHECK(found["generator"]["worst_difference"].is_number());
    CHECK(found["generator"].contains("up_mean_s"));
    const Answer drawn = bursar({"market", "info", ticks, "--svg", folder.file("a.svg")});
    CHECK(drawn.code == 0);
    CHECK(has(drawn.out, "Generators fitted to it"));
    CHECK(has(drawn.out, "     nodes +---"));
    CHECK(has(read_file(folder.file("a.svg")), "<svg"));

    const std::string events = folder.write("b.csv", "0,add,n1\n0,add,n2\n7200000,remove,n1\n");
    const Answer both = bursar({"market", "info", ticks, events, "--format", "csv"});
    CHECK(both.code == 0);
    CHECK(has(both.out, ",1,0.6,0.6,6,12,7200,10800,36000\n"));
    CHECK(has(both.out, ",2,2,1,4,12,7200,7200,7200\n"));
}

TEST_CASE("market info: inverted availability, another tick, and too little for a fit") {
    const TemporaryFolder folder;
    const std::string down =
        folder.write("d.json", R"({"metadata": {"gap_seconds": 60}, "data": [0, 0, 0, 0, 0]})");
    const Answer warned = bursar({"market", "info", down});
    CHECK(warned.code == 0);
    CHECK(has(warned.err, "polarity: nodes can be had for 0.0 % of the time only"));
    CHECK(has(warned.err, "no generator is fitted"));
    const Answer turned =
        bursar({"market", "info", down, "--inverted", "--tick", "2 min", "--format", "json"});
    CHECK(nlohmann::json::parse(turned.out)["file"]["length_s"] == 600);
    CHECK(nlohmann::json::parse(turned.out)["nodes"]["availability"] == 1);
}

TEST_CASE("market info: options of prices are refused for availability, and vice versa") {
    const TemporaryFolder folder;
    const std::string prices = folder.write("prices.csv", two_zones);
    const std::string events = folder.write("b.csv", "0,add,n1\n7200000,remove,n1\n");
    const Answer bid = bursar({"market", "info", events, "--bid", "1"});
    CHECK(bid.code == 2);
    CHECK(has(bid.err, "--bid: is for files of prices (these are of availability)"));
    const Answer tick = bursar({"market", "info", prices, "--tick", "1 min"});
    CHECK(tick.code == 2);
    CHECK(has(tick.err, "--tick: is for files of availability (these are of prices)"));
    const Answer svg = bursar({"market", "info", events, events, "--svg", folder.file("p.svg")});
    CHECK(svg.code == 2);
    CHECK(has(svg.err, "--svg: draws the nodes of one file (several are given)"));
    const std::string bad = folder.write("bad.csv", "0,add,n1\n5,remove,n2\n");
    const Answer none = bursar({"market", "info", bad});
    CHECK(none.code == 2);
    CHECK(has(none.err, "bad.csv:2:10: \"n2\" is removed, and is not there"));
}

} // namespace bursar::test::market_test
