// `bursar market` as its users type it.

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

TEST_CASE("market info: every offer of a file a row, one of them everything") {
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

TEST_CASE("market info: held against the price on demand or a bid, drawn as text and as SVG") {
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

TEST_CASE("market info: what cannot be answered is said with what to do") {
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

TEST_CASE("market info: a file is not drawn over, and a day's list has no length") {
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

} // namespace bursar::test::market_test
