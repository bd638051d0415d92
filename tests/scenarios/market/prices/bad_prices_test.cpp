#include <doctest/doctest.h>

#include "tests/scenarios/market/prices/read_price_text.hpp"

namespace bursar::bad_prices_test {
namespace {

using test::history_in;
using test::notes_of;
using test::price_complaint;
using test::read_price_text;
using test::usd;

} // namespace

TEST_CASE("prices: a malformed price is reported with its place") {
    CHECK(price_complaint("time,price\n0,-2\n") == "p:2:3: price: \"-2\" is negative (a price)");
    CHECK(price_complaint("time,price\n0,2\n60,abc\n") ==
          "p:3:4: price: \"abc\" is not a price (expected dollars such as 0.918 or $0.918)");
    CHECK(price_complaint("time,price\n0,\u20ac2\n") ==
          "p:2:3: price: \"\u20ac2\" is not in dollars (prices are taken in USD); declare EUR "
          "under `currencies` and give `currency: EUR`, or convert the file to USD");
    CHECK(price_complaint("time,price\n0,2 EUR\n").find("not in dollars") != std::string::npos);
    CHECK(price_complaint("time,price\n0,\"1,234.5\"\n").find("separators of thousands") !=
          std::string::npos);
    CHECK(price_complaint("time,price\n0,2000000\n").find("too high") != std::string::npos);
    CHECK(price_complaint("time,price\n0,\n60,N/A\n") == "p: no row has a price");
    CHECK(history_in("time,price\n0,$2\n60, 3 USD\n").steps.rate ==
          std::vector<std::int64_t>{usd(2), usd(3)});
}

TEST_CASE("prices: all mistakes of a file are reported, those of one kind once") {
    const std::string told = price_complaint("time,price\n0,-2\n60,-3\nsoon,1\n");
    CHECK(told == "p:2:3: price: \"-2\" is negative, as on line 3 (a price)\n"
                  "p:4:1: time: \"soon\" is not a time (expected a date such as "
                  "2020-02-20T03:21:36Z, or seconds)");
}

TEST_CASE("prices: times of two kinds, and two prices of one instant") {
    CHECK(price_complaint("time,price\n0,1\n2020-01-01,2\n") ==
          "p:3:1: time: a date after relative times (a file has one or the other)");
    CHECK(price_complaint("time,price\n0,1\n60,2\n60,3\n") ==
          "p:4:4: a second price of the price for 0.0166667 h (line 3 has another)");
}

TEST_CASE("prices: times that no series can have") {
    CHECK(price_complaint("time,price\n0,1\n99999999999,1\n") ==
          "p:3:1: time: too far away (at most 278 years from 1970 or the file's zero)");
    CHECK(price_complaint("time,price\n9999-01-01,1\n").find("too far away") != std::string::npos);
    CHECK(price_complaint("time,price\n1600-01-01,1\n").find("too far away") != std::string::npos);
}

TEST_CASE("prices: rows out of order are sorted, repeated rows left out; both are noted") {
    const PriceHistory history = history_in("time,price\n120,3\n0,1\n60,2\n60,2\n");
    CHECK(history.steps == PriceSeries{{0, 60'000, 120'000}, {usd(1), usd(2), usd(3)}});
    CHECK(notes_of(history) == "p:3:3: rows are not in order of time (they were sorted)\n"
                               "p:5:4: 1 row has been there before (they were left out)\n");
}

TEST_CASE(
    "prices: a missing hour among rows a minute apart is no gap, three missing days are one") {
    std::string text = "time,price\n";
    for (int minute = 0; minute < 12; ++minute)
        text += std::to_string(60 * minute) + ",1\n";
    CHECK(history_in(text + "4260,2\n").notes.empty());
    CHECK(notes_of(history_in(text + "260000,2\n")) ==
          "p:14:8: a gap of 3 d: no row from 0.183333 h on (rows are usually 0.000694 d apart; the "
          "price before holds on)\n");
}

TEST_CASE("prices: a price ten times its neighbours is kept by default") {
    constexpr std::string_view text = "time,price\n0,1\n60,10\n90,10\n120,1\n180,0.1\n240,1\n";
    const PriceHistory kept = history_in(text);
    CHECK(kept.steps.size() == 5);
    CHECK(notes_of(kept) ==
          "p:3:4: 10 USD/h at 0.0166667 h is ten times its neighbours or more (it is kept)\n"
          "p:6:5: 0.1 USD/h at 0.05 h is a tenth of its neighbours or less (it is kept)\n");
    const PriceHistory dropped = history_in(text, {}, Outliers::drop);
    CHECK(dropped.steps == PriceSeries{{0}, {usd(1)}});
    CHECK(notes_of(dropped).find("it was dropped") != std::string::npos);
    CHECK_MESSAGE(history_in("time,price\n0,1\n60,10\n120,11\n").notes.empty(),
                  "a price that stays is none");
}

TEST_CASE("prices: nan is a mistake, not a machine that is not on offer") {
    CHECK(price_complaint("time,price\n0,8\n3600,nan\n7200,8\n") ==
          "p:3:6: price: \"nan\" is not a price (expected dollars such as 0.918 or $0.918)");
}

TEST_CASE("prices: outliers at the ends of a file, and several in a row, are noted") {
    CHECK(notes_of(history_in("time,price\n0,8\n3600,8.2\n7200,8\n10800,81\n")) ==
          "p:5:7: 81 USD/h at 3 h is ten times its neighbours or more (it is kept)\n");
    CHECK(notes_of(history_in("time,price\n0,80\n3600,8\n7200,8\n10800,8\n")) ==
          "p:2:3: 80 USD/h at 0 h is ten times its neighbours or more (it is kept)\n");
    constexpr std::string_view stretch = "time,price\n0,8\n3600,80\n7200,81\n10800,8\n14400,9\n";
    CHECK(notes_of(history_in(stretch)) == "p:3:6: 2 prices from 80 USD/h at 1 h on are ten times "
                                           "their neighbours or more (they are kept)\n");
    CHECK(history_in(stretch, {}, Outliers::drop).steps ==
          PriceSeries{{0, 14'400'000}, {usd(8), usd(9)}});
    CHECK(history_in("time,price\n0,81\n1,8\n2,8\n3,8\n", {}, Outliers::drop).steps ==
          PriceSeries{{1000}, {usd(8)}});
    CHECK_MESSAGE(history_in("time,price\n0,8\n3600,81\n").notes.empty(),
                  "it is not known which of two is odd");
}

TEST_CASE("prices: numbers as large as times since 1970 are dates, with a note") {
    for (const char* text : {"time,price\n1711800000,8\n1711886400,10\n",
                             "time,price\n1711800000000,8\n1711886400000,10\n"}) {
        const PriceHistory history = history_in(text);
        CHECK(history.times == PriceTimes::dated);
        CHECK(history.steps.start_ms ==
              std::vector<std::int64_t>{1'711'800'000'000, 1'711'886'400'000});
        CHECK(notes_of(history) == "p:2:1: times are taken as seconds or milliseconds since "
                                   "1970-01-01 UTC (by their size: since a run's begin they would "
                                   "be 30 years and more)\n");
    }
    CHECK(price_complaint("time,price\n0,8\n1711886400,10\n") ==
          "p:3:1: time: a date after relative times (a file has one or the other)");
    CHECK(history_in("time,price\n0,8\n900000000,10\n").times == PriceTimes::relative);
}

TEST_CASE("prices: several offers match, or none") {
    constexpr std::string_view text = "time,price,type,zone\n"
                                      "0,1,p3.2xlarge,us-east-1a\n"
                                      "0,2,p3.2xlarge,us-east-1b\n"
                                      "0,8,p3.16xlarge,us-east-1a\n";
    CHECK(price_complaint(text) == "p: type: 2 types of p match (p3.16xlarge, p3.2xlarge); choose "
                                   "one with `type`");
    CHECK(price_complaint(text, {.type = "p3.2xlarge"}) ==
          "p: zone: 2 zones of p match (us-east-1a, us-east-1b); choose one with `zone`");
    CHECK(price_complaint(text, {.type = "p3.2xlrge"}) ==
          "p: type: \"p3.2xlrge\" is no type of p; did you mean \"p3.2xlarge\"?");
    CHECK(price_complaint(text, {.type = "p3.16xlarge", .zone = "us-east-1b"}) ==
          "p: zone: \"us-east-1b\" is no zone of p (of p3.16xlarge); did you mean "
          "\"us-east-1a\"?");
    CHECK(history_in(text, {.type = "P3.16xlarge"}).steps.rate.front() == usd(8));
}

TEST_CASE("prices: a list without the GPU's part is found by the prices of other regions") {
    std::string text = "snapshot_utc,machine_type,region,ondemand_usd_per_hour\n";
    for (const char* const region : {"r1", "r2", "r3"})
        text += std::string{"2022-02-09T23:07:12Z,a2,"} + region + ",3.67\n";
    text += "2022-02-09T23:07:12Z,a2,cheap,0.814\n2024-08-01T00:00:00Z,a2,cheap,3.9\n";
    CHECK(notes_of(history_in(text, {.region = "cheap"})) ==
          "p:5:31: 0.814 USD/h at 2022-02-09 23:07:12Z is under a third of what other regions ask, "
          "3.67 "
          "(a machine that is not sold there may be listed without its GPUs)\n");
    CHECK(history_in(text, {.region = "r1"}).notes.empty());
}

TEST_CASE("prices: files without prices") {
    CHECK(price_complaint("") == "p: the file is empty");
    CHECK(price_complaint("a,b\n1,2\n")
              .find("p:1: format: not recognised by the header line "
                    "\"a,b\" (formats: aws-spot-history") == 0);
    CHECK(price_complaint("{}").find("neither a spot price history nor a list of instances") !=
          std::string::npos);
    CHECK(price_complaint("{\"SpotPriceHistory\": [}") == "p:1:23: this is no JSON");
    CHECK(price_complaint("{\"SpotPriceHistory\": []}") == "p: no row has a price");
    CHECK(price_complaint("\"SpotPrice\"") == "p: no row has a price");
    CHECK(price_complaint("time,price\n0\n") ==
          "p:2:2: the row has another number of fields than the header (its fields do not "
          "match the columns)");
    const auto with_format = [](const std::string& format) {
        try {
            read_price_text("time,price\n0,1\n", format);
        } catch (const ScenarioError& error) {
            return std::string{error.what()};
        }
        return std::string{};
    };
    CHECK(with_format("csv").empty());
    CHECK(with_format("gcp-price-change") ==
          "p: format: \"gcp-price-change\" is not a format of prices; did you mean "
          "\"gcp-price-changes\"?");
    CHECK(with_format("aws-spot-csv").find("p:1: timestamp: no such column") == 0);
}

TEST_CASE("prices: a JSON value is reported with line and column") {
    CHECK(price_complaint("{\"SpotPriceHistory\": [\n {\"AvailabilityZone\": \"a\",\n  "
                          "\"SpotPrice\": \"abc\", \"Timestamp\": \"2020-01-01\"}]}") ==
          "p:3:16: SpotPrice: \"abc\" is not a price (expected dollars such as 0.918 or $0.918)");
    CHECK(price_complaint("{\"SpotPriceHistory\": [{\"SpotPrice\": -5, \"Timestamp\": "
                          "\"2020-01-01\"}]}") ==
          "p:1:37: SpotPrice: \"-5\" is negative (a price)");
}

} // namespace bursar::bad_prices_test
