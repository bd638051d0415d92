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

TEST_CASE("a budget with `fail: yes` that is exceeded is exit code 3, with the whole answer") {
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

TEST_CASE("impossible budgets are refused at their place") {
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

TEST_CASE("after a stop-admitting budget is spent no job starts") {
    const test::TemporaryFolder folder;
    // Two jobs of an hour a day apart; 10 USD/h around the clock: 120 USD are spent after 12 h.
    const std::string file =
        scenario(folder, "budgets: [{limit: 120 USD, then: stop-admitting}]\n");
    const test::Answer answer = test::bursar({"run", file});
    CAPTURE(answer.out);
    CHECK(answer.code == 0);
    CHECK(says(answer,
               "budget alert: all: spent 2024-02-01 00:00:00Z: no job started until the end"));
    CHECK(says(answer, "budget: all: 120.00 of 120.00 USD spent"));
    // The second job is submitted after the run's end: the first runs to its end.
    const test::Answer longer = test::bursar(
        {"run", file, "--set", "budgets[0].limit=5 USD", "--set", "budgets[0].fail=yes"});
    CAPTURE(longer.out);
    CHECK(longer.code == 3);
    CHECK(says(longer, "budget alert: all: 10.00 of 5.00 USD spent, exceeded 2024-01-31 12:30"));
    CHECK(says(longer, "spent 2024-01-31 12:30:00Z: no job started until the end"));
}

TEST_CASE("a stop-jobs budget spends no more than its limit if no job saves") {
    const test::TemporaryFolder folder;
    const std::string file =
        scenario(folder, "budgets: [{limit: 5 USD, then: stop-jobs, fail: yes}]\n");
    const test::Answer answer = test::bursar({"run", file, "--out", folder.file("out")});
    CAPTURE(answer.out);
    CHECK(answer.code == 0);
    CHECK(says(answer, "budget: all: 5.00 of 5.00 USD spent"));
    CHECK(says(answer, "spent 2024-01-31 12:30:00Z: 1 job stopped, none started until the end"));
    CHECK(says(answer, "1 job waits to the end of the run, where a budget is spent"));
    CHECK(test::read_file(folder.file("out/attempts.csv")).find(",budget,") != std::string::npos);
}

TEST_CASE("a comparison says in which variants a budget acted") {
    const test::TemporaryFolder folder;
    const std::string file =
        scenario(folder, "budgets: [{limit: 5 USD, then: stop-jobs}]\nuntil: 3 d\n");
    const test::Answer answer = test::bursar({"compare",
                                              file,
                                              "--vary",
                                              "budgets[0].then=alert,stop-admitting,stop-jobs",
                                              "--format",
                                              "csv"});
    CAPTURE(answer.out);
    CAPTURE(answer.err);
    CHECK(answer.code == 0);
    for (const char* row :
         {"alert,events.budget_stops,,1,0,", "stop-jobs,events.budget_stops,,1,1,"})
        CHECK(says(answer, row));
}

TEST_CASE("a monthly budget that acts lets jobs start again with the next month") {
    const test::TemporaryFolder folder;
    const std::string file =
        scenario(folder, "budgets: [{limit: 5 USD, per: month, then: stop-jobs}]\ncalendar: UTC\n");
    const test::Answer answer = test::bursar({"run", file});
    CAPTURE(answer.out);
    // Half an hour of the first job is in January; it continues in February, for half an hour
    // again.
    CHECK(
        says(answer, "spent 2024-01-31 12:30:00Z: 1 job stopped, none started until 2024-02-01\n"));
    CHECK(says(answer, "spent 2024-02-01 00:30:00Z"));
    CHECK(says(answer, "budgets: nodes of a are paid for even when no job may"));
}

TEST_CASE("a tenant's budget stops only its own jobs") {
    const test::TemporaryFolder folder;
    folder.write("jobs.csv",
                 "submit,duration,gpus,tenant\n"
                 "2024-01-31T12:00:00Z,3600,1,ann\n"
                 "2024-01-31T12:00:00Z,3600,1,bob\n"
                 "2024-01-31T12:00:00Z,3600,1,ann\n");
    const std::string file = folder.write(
        "s.yaml",
        "bursar: 1\nname: two people\n"
        "workload: {trace: {file: jobs.csv}}\n"
        "policy: {head: skip}\n"
        "fleet: [{pool: a, purchase: owned, gpu: V100-SXM2-16GB, nodes: 1, gpus_per_node: 1, "
        "price: 10 USD/gpu-h}]\n"
        "budgets: [{limit: 5 USD, tenant: ann, then: stop-admitting}]\n");
    const test::Answer answer = test::bursar({"run", file, "--out", folder.file("out")});
    CAPTURE(answer.out);
    CHECK(says(answer, "budget alert: tenant ann: spent 2024-01-31 12:30:00Z: no job started"));
    CHECK(says(answer, "tenant ann: 10.00 of 5.00 USD spent")); // the first ran to its end
    CHECK(says(answer, "1 job waits to the end of the run, where a budget is spent"));
    const test::Answer refused = test::bursar({"check", file, "--set", "policy.head=block"});
    CHECK(refused.code == 2);
    CHECK(refused.err.find("would hold up those of all tenants") != std::string::npos);
}

} // namespace bursar::budgets_test
