#include <string>

#include <doctest/doctest.h>

#include "tests/tools/program.hpp"

namespace bursar::budgets_test {
namespace {

/// A GPU-hour a day apart, at 10 USD, from 2024-01-31 12:00 UTC on.
std::string scenario(const test::TemporaryFolder& folder, const std::string& more) {
    folder.write("jobs.csv",
                 "submit,duration,gpus\n"
                 "2024-01-31T12:00:00Z,3600,1\n"
                 "2024-02-01T12:00:00Z,3600,1\n");
    return folder.write("s.yaml",
                        "bursar: 1\nname: two days\n"
                        "workload: {trace: {file: jobs.csv}}\n"
                        "fleet: [{pool: a, purchase: owned, gpu: V100-SXM2-16GB, nodes: 1, "
                        "gpus_per_node: 1, price: 10 USD/gpu-h}]\n" +
                            more);
}

bool says(const test::Answer& answer, const std::string& text) {
    return (answer.out + answer.err).find(text) != std::string::npos;
}

} // namespace

TEST_CASE("a budget that must hold and does not is exit code 3, with the whole answer") {
    const test::TemporaryFolder folder;
    const std::string file = scenario(
        folder, "budgets: [{name: small, limit: 100 USD, fail: yes}, {limit: 9999 USD}]\n");
    const test::Answer answer = test::bursar({"run", file, "--out", folder.file("out")});
    CHECK(answer.code == 3);
    CHECK(says(answer,
               "budget alert: small: 250.00 of 100.00 USD spent, exceeded 2024-01-31 "
               "22:00:00.001Z"));
    CHECK(says(answer, "budget: all: 250.00 of 9,999.00 USD spent"));
    CHECK(answer.err.find("budget exceeded: small") != std::string::npos);
    CHECK(std::filesystem::exists(folder.file("out/result.json")));
    CHECK(test::bursar({"run", file, "--set", "budgets[0].fail=no"}).code == 0);
}

TEST_CASE("costs by month are those of the calendar's time zone") {
    const test::TemporaryFolder folder;
    // 12 h of January in UTC, 11 in Berlin; the run lasts 25 h.
    const test::Answer utc = test::bursar({"run", scenario(folder, "calendar: UTC\n")});
    CHECK(says(utc, "month: 2024-01: 120.00 USD"));
    CHECK(says(utc, "month: 2024-02: 130.00 USD"));
    const test::Answer berlin = test::bursar(
        {"run",
         scenario(folder, "calendar: Europe/Berlin\nbudgets: [{limit: 115 USD, per: month}]\n")});
    CHECK(says(berlin, "month: 2024-01: 110.00 USD"));
    CHECK(says(berlin, "budget: all, 2024-01: 110.00 of 115.00 USD spent"));
    CHECK(says(berlin, "budget alert: all, 2024-02: 140.00 of 115.00 USD spent"));
}

TEST_CASE("budgets that cannot be are refused where they stand") {
    const test::TemporaryFolder folder;
    const auto refused = [&](const std::string& more) {
        const test::Answer answer = test::bursar({"check", scenario(folder, more)});
        CHECK(answer.code == 2);
        return answer.err;
    };
    const auto has = [](const std::string& text, const std::string& part) {
        CAPTURE(text);
        return text.find(part) != std::string::npos;
    };
    CHECK(has(refused("calendar: Berlin\n"), "\"Berlin\" is no time zone"));
    CHECK(has(refused("budgets: [{limit: 5}]\n"), "has no unit"));
    CHECK(has(refused("budgets: [{limit: 5 USD, pool: b}]\n"), "no pool of the run is named"));
    CHECK(has(refused("budgets: [{limit: 5 USD, tenant: b}]\n"), "no tenant of the run is named"));
    CHECK(has(refused("budgets: [{limit: 5 USD, tenant: b, pool: a}]\n"), "pool"));
}

} // namespace bursar::budgets_test
