#include <doctest/doctest.h>

#include "scenarios/market/prices/registry.hpp"
#include "scenarios/traces/text/timestamps.hpp"

#include "tests/scenarios/market/prices/read_price_text.hpp"

// Each format with rows like those of real files: meaning, order and quoting.
namespace bursar::price_formats_test {
namespace {

using test::history_in;
using test::read_price_text;
using test::usd;

std::int64_t utc(std::string_view text) {
    return *parse_date_or_timestamp(text, 0);
}

constexpr std::string_view spot_history = R"({
    "NextToken": "",
    "SpotPriceHistory": [
        {
            "AvailabilityZone": "us-east-1b",
            "InstanceType": "p3.16xlarge",
            "ProductDescription": "Linux/UNIX",
            "SpotPrice": "7.500000",
            "Timestamp": "2020-02-20T03:21:36.000Z"
        },
        {
            "AvailabilityZone": "us-east-1f",
            "InstanceType": "p3.16xlarge",
            "ProductDescription": "Linux/UNIX",
            "SpotPrice": "24.480000",
            "Timestamp": "2020-02-20T03:21:36.000Z"
        },
        {
            "AvailabilityZone": "us-east-1b",
            "InstanceType": "p3.16xlarge",
            "ProductDescription": "Linux/UNIX",
            "SpotPrice": "7.344000",
            "Timestamp": "2020-02-19T03:21:26.500Z"
        },
        {
            "AvailabilityZone": "us-east-1b",
            "InstanceType": "p3.16xlarge",
            "ProductDescription": "Windows",
            "SpotPrice": "9.9",
            "Timestamp": "2020-02-19T03:21:26.000Z"
        }
    ]
}
)";

} // namespace

TEST_CASE("prices: the output of describe-spot-price-history, newest first, prices as strings") {
    const PriceFile file = read_price_text(spot_history);
    CHECK(file.format == "aws-spot-history");
    CHECK(file.times == PriceTimes::dated);
    CHECK(file.offers.size() == 3);
    const PriceHistory b = history_in(spot_history, {.zone = "us-east-1b"});
    CHECK(b.offer == PriceOffer{"p3.16xlarge", "us-east-1", "us-east-1b", "Linux/UNIX", "spot"});
    CHECK(b.steps == PriceSeries{{utc("2020-02-19T03:21:26.500Z"), utc("2020-02-20T03:21:36Z")},
                                 {7'344'000'000, 7'500'000'000}});
    CHECK_MESSAGE(test::notes_of(b).find("product Linux/UNIX is taken") != std::string::npos,
                  "two products: the choice is said");
    CHECK_MESSAGE(test::notes_of(b).find("order") == std::string::npos, "newest first is an order");
}

TEST_CASE("prices: the list without its wrapper, as with --query, is read as well") {
    const std::string_view list =
        R"([{"AvailabilityZone": "eu-west-1a", "InstanceType": "p2.xlarge",
 "ProductDescription": "Linux/UNIX", "SpotPrice": "0.2916", "Timestamp": "2020-02-20T03:21:36+00:00"}])";
    CHECK(history_in(list).steps.rate == std::vector<std::int64_t>{291'600'000});
}

TEST_CASE("prices: the same history as a table") {
    constexpr std::string_view table =
        "timestamp,instance_type,availability_zone,spot_price_usd_per_hour,product\n"
        "2019-12-22T06:43:07.000Z,p2.8xlarge,us-east-1a,2.160000,Linux/UNIX\n"
        "2019-12-23T06:43:07.000Z,p2.8xlarge,us-east-1a,2.160000,Linux/UNIX\n"
        "2019-12-24T06:43:07.000Z,p2.8xlarge,us-east-1a,2.2,Linux/UNIX\n";
    const PriceHistory history = history_in(table);
    CHECK(read_price_text(table).format == "aws-spot-csv");
    CHECK(history.offer.region == "us-east-1");
    CHECK_MESSAGE((history.steps.rate == std::vector<std::int64_t>{2'160'000'000, 2'200'000'000}),
                  "a repeated price is no step");
    CHECK(history.num_rows == 3);
    CHECK(history.length() == 2 * day);
}

TEST_CASE("prices: Google Cloud's changes, with commitments by the month") {
    constexpr std::string_view table =
        "snapshot_utc,machine_type,region,ondemand_usd_per_hour,spot_usd_per_hour,"
        "commit_1y_usd_per_month,commit_3y_usd_per_month\n"
        "2022-02-09T23:07:12Z,a2-highgpu-1g,asia-east1,3.65768,,1682.1512932,934.55108226\n"
        "2023-05-08T00:00:00Z,a2-highgpu-1g,asia-east1,3.65768,1.1,1682.1512932,934.55108226\n"
        "2024-05-08T00:00:00Z,a2-highgpu-2g,asia-east1,7,2,1,1\n";
    CHECK(read_price_text(table).format == "gcp-price-changes");
    const PriceHistory spot = history_in(table, {.type = "a2-highgpu-1g", .purchase = "spot"});
    CHECK(spot.steps == PriceSeries{{utc("2023-05-08")}, {1'100'000'000}});
    CHECK_MESSAGE(spot.length() == 366 * day,
                  "no row is no change: known until the file's last row");
    CHECK(test::notes_of(spot).find("no price of a2-highgpu-1g asia-east1 spot before "
                                    "2023-05-08 00:00:00Z") != std::string::npos);
    const PriceHistory committed =
        history_in(table, {.type = "a2-highgpu-1g", .purchase = "commit_1y"});
    // 1682.1512932 / 730 = 2.30431684 (to a nano-dollar: 2.304316840)
    CHECK(committed.steps.rate == std::vector<std::int64_t>{2'304'316'840});
}

TEST_CASE("prices: Azure's manual table, with dollar signs, American dates and empty cells") {
    constexpr std::string_view table = "Date,NC12,NC6s v2\n"
                                       "2/24/2020,$0.24552,$0.27241\n"
                                       "2/25/2020,$0.24552,\n"
                                       "2/26/2020,$0.24552,$0.41400\n";
    CHECK(read_price_text(table).format == "azure-wide");
    const PriceHistory history = history_in(table, {.type = "NC6s v2"});
    CHECK(history.steps ==
          PriceSeries{{utc("2020-02-24"), utc("2020-02-26")}, {272'410'000, 414'000'000}});
    CHECK(test::notes_of(history) ==
          "p:2:1: times without a zone are taken as UTC\n"
          "p:3:20: a gap of 1 d: not on offer from 2020-02-25 00:00:00Z on (the price before "
          "holds on)\n");
}

TEST_CASE("prices: Azure's manual table, behind a byte order mark, with bad rows") {
    constexpr std::string_view table = "\xef\xbb\xbf"
                                       "Date,NC12\n"
                                       "2/24/2020,$0.24552\n";
    CHECK(read_price_text(table).format == "azure-wide");
    CHECK(history_in(table).steps == PriceSeries{{utc("2020-02-24")}, {245'520'000}});
    constexpr std::string_view bad = "Date,NC12,NC6\n"
                                     "2/24/2020,$0.24552,$0.27\n"
                                     "2/25/2020,$0.24552\n"
                                     "2/26/2020,$0.24552,$0.28,$0.29\n"
                                     "26.2.2020,$0.24552,$0.28\n"
                                     "2/27/2020,\"$0.24\"552,$0.28\n";
    CHECK(test::price_complaint(bad, {.type = "NC12"}) ==
          "p:3:19: the row has another number of fields than the header, as on line 4 (its fields "
          "do not match the columns)\n"
          "p:5:1: Date: \"26.2.2020\" is not a date (expected month/day/year such as 2/24/2020)\n"
          "p:6:18: text after a closing quote");
}

TEST_CASE("prices: a machine that stands in two columns of Azure's table") {
    CHECK(test::price_complaint("Date,NC12,NC12\n2/24/2020,1,2\n").find("NC12") !=
          std::string::npos);
}

TEST_CASE("prices: ec2instances, strings by region and operating system, reserved terms") {
    constexpr std::string_view list = R"([
  {"GPU": 8, "instance_type": "p3.16xlarge", "pricing": {
     "us-east-1": {"linux": {"ondemand": "24.48", "reserved": {"yrTerm1Standard.noUpfront": "16.1"}},
                   "mswin": {"ondemand": "27.4", "reserved": {}}},
     "eu-west-1": {"linux": {"ondemand": "N/A"}}}},
  {"GPU": 0, "instance_type": "m1.small", "pricing": {"us-east-1": {"linux": {"ondemand": "0.044"}}}}
])";
    CHECK(read_price_text(list).format == "ec2instances");
    const PriceHistory history = history_in(list, {.type = "p3.16xlarge", .purchase = "on_demand"});
    CHECK(history.steps == PriceSeries{{0}, {24'480'000'000}});
    CHECK(history.times == PriceTimes::none);
    CHECK(history.gpus == 8);
    CHECK(history_in(list, {.type = "p3.16xlarge", .purchase = "yrTerm1Standard.noUpfront"})
              .steps.rate.front() == 16'100'000'000);
    CHECK_FALSE(history_in(list, {.type = "m1.small"}).gpus.has_value());
    CHECK_MESSAGE(test::price_complaint(list, {.type = "p3.16xlarge", .region = "eu-west-1"}) ==
                      "p: region: \"eu-west-1\" is no region of p (of p3.16xlarge); did you mean "
                      "\"us-east-1\"?",
                  "what is not sold there is not offered there");
}

TEST_CASE("prices: SkyPilot's catalogues, columns in any order, CRLF, empty prices") {
    constexpr std::string_view crlf =
        "InstanceType,UpstreamCloudId,AcceleratorName,AcceleratorCount,GpuInfo,Region,Price,"
        "SpotPrice\r\n"
        "1B300.30V,1B300.30V,B300,1.0,\"{\"\"Gpus\"\": [{\"\"Count\"\": "
        "1}]}\",FIN-03,6.99,2.447\r\n"
        "2B300.60V,2B300.60V,B300,2.0,,FIN-03,,4.893\r\n";
    CHECK(read_price_text(crlf).format == "skypilot-catalog");
    CHECK(history_in(crlf, {.type = "1B300.30V", .purchase = "on_demand"}).steps.rate.front() ==
          6'990'000'000);
    const PriceHistory only_spot = history_in(crlf, {.type = "2B300.60V"});
    CHECK_MESSAGE(only_spot.offer.purchase == "spot", "an empty price is no offer");
    CHECK(only_spot.gpus == 2);
    constexpr std::string_view other_order =
        "SpotPrice,Region,Price,AcceleratorCount,InstanceType\n"
        ",us-east-1,0.2,,cpu_4x_general\n"
        "1.5,us-east-1,3,8.0,gpu_8x\n";
    CHECK(history_in(other_order, {.type = "gpu_8x", .purchase = "spot"}).steps.rate.front() ==
          1'500'000'000);
    CHECK_FALSE(history_in(other_order, {.type = "cpu_4x_general"}).gpus.has_value());
}

TEST_CASE("prices: Karpenter's changes of AWS and Azure") {
    constexpr std::string_view aws =
        "generated_utc,region,instance_type,ondemand_usd_per_hour,source_commit\n"
        "2023-02-20T13:11:59Z,us-east-1,p5.48xlarge,98.32,272259e8\n"
        "2025-06-23T00:00:00Z,us-east-1,p5.48xlarge,55.04,aaaa\n";
    CHECK(read_price_text(aws).format == "karpenter-aws");
    CHECK(history_in(aws).steps.rate == std::vector<std::int64_t>{98'320'000'000, 55'040'000'000});
    constexpr std::string_view azure =
        "generated_utc,region,sku,ondemand_usd_per_hour,source_commit\n"
        "2023-10-27T06:44:32Z,australiacentral,Standard_NC16as_T4_v3,1.565,bee5a163c1ac\n";
    CHECK(read_price_text(azure).format == "karpenter-azure");
    CHECK(history_in(azure).offer.type == "Standard_NC16as_T4_v3");
}

TEST_CASE("prices: plain times and prices, dated or in seconds") {
    const PriceHistory seconds = history_in("time,price\n0,2\n3600,2.5\n7200.25,1\n");
    CHECK(seconds.times == PriceTimes::relative);
    CHECK(seconds.steps == PriceSeries{{0, 3'600'000, 7'200'250}, {usd(2), 2'500'000'000, usd(1)}});
    CHECK(read_price_text("time,price\n0,2\n").thing == PricedThing::not_stated);
    const PriceHistory dated = history_in("price,time\n2,2020-01-01 10:00:00+02:00\n");
    CHECK(dated.steps.start_ms.front() == utc("2020-01-01T08:00:00Z"));
    CHECK_MESSAGE(dated.notes.empty(), "every time has its zone");
    CHECK(
        history_in("time,price,zone\n0,2,x-1a\n0,3,x-1b\n", {.zone = "x-1b"}).steps.rate.front() ==
        usd(3));
}

TEST_CASE("prices: every format has a unique name and is distinguished from the others") {
    for (const PriceFormat& format : price_formats()) {
        CAPTURE(std::string{format.name});
        CHECK(find_price_format(format.name) == &format);
        CHECK_FALSE(format.summary.empty());
    }
    CHECK(find_price_format("GCP price changes") != nullptr);
    CHECK(find_price_format("gcp") == nullptr);
}

} // namespace bursar::price_formats_test
