#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "reports/bill/costliest_jobs.hpp"
#include "reports/bill/months.hpp"
#include "reports/bill/priced_lines.hpp"
#include "reports/outputs/registry.hpp"

#include "tests/properties.hpp"
#include "tests/reports/support/random_result.hpp"
#include "tests/reports/support/sample_result.hpp"

namespace bursar::priced_lines_test {
namespace {

/// A printed figure without its point and commas: cents, or ten-thousandths of GPU-hours.
std::int64_t units(std::string text) {
    std::erase_if(text, [](char c) { return c == ',' || c == '.' || c == '*'; });
    return std::stoll(text);
}

double number(std::string text) {
    std::erase(text, ',');
    return std::stod(text);
}

/// Hours x rate equals the printed dollars, to two cents and the precision of a rate with nine
/// places.
bool can_be_worked_out(const PricedLine& line) {
    if (line.rate.empty())
        return units(line.hours) == 0;
    const double hours = number(line.hours);
    const double rate = number(line.rate);
    return std::abs(hours * rate - number(line.dollars)) < 0.02 + hours * 1e-9 + rate * 1e-4;
}

/// Whether hours and dollars of all lines but the last add up to those of the last.
bool add_up(const std::vector<PricedLine>& lines) {
    std::int64_t hours = -units(lines.back().hours);
    std::int64_t cents = -units(lines.back().dollars);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
        hours += units(lines[i].hours);
        cents += units(lines[i].dollars);
    }
    return hours == 0 && cents == 0;
}

std::string markdown(const Result& result, const OutputOptions& options = {}) {
    StringSink sink;
    write_markdown(result, options, sink);
    return sink.text();
}

/// The cells of the rows of the table after `title`, without its header.
std::vector<std::vector<std::string>> table_after(const std::string& page,
                                                  const std::string& title) {
    std::vector<std::vector<std::string>> rows;
    const std::size_t at = page.find("\n## " + title + "\n\n");
    if (at == std::string::npos)
        return rows;
    std::istringstream lines{page.substr(at + title.size() + 6)};
    for (std::string line; std::getline(lines, line) && line.starts_with("|");) {
        if (line.starts_with("|--"))
            continue;
        std::vector<std::string>& cells = rows.emplace_back();
        for (std::size_t begin = 2; begin < line.size();) {
            const std::size_t end = line.find(" |", begin);
            cells.push_back(line.substr(begin, end - begin));
            begin = end + 3;
        }
    }
    rows.erase(rows.begin());
    return rows;
}

} // namespace

TEST_CASE("a mean rate has enough places for its hours to give the cents") {
    const auto hours = [](std::int64_t n) { return slot_time(slots_per_gpu, n * hour); };
    const MoneyRate rate{1'234'567'891};
    CHECK(mean_rate_text(hours(7), rate * hours(7)) == "1.234567891");
    CHECK(mean_rate_text(hours(3), MoneyRate{nano_usd_per_usd} * hours(1)) == "0.3333");
    CHECK(mean_rate_text(hours(30'000), MoneyRate{nano_usd_per_usd} * hours(10'000)) ==
          "0.3333333");
    CHECK(mean_rate_text(hours(2), MoneyRate{950'000'000} * hours(2)) == "0.95");
    CHECK(mean_rate_text({}, {}).empty());
}

TEST_CASE("payment is divided by months of UTC unless others are requested") {
    Result result = test::sample_result(); // 10 GPUs over 4 h from 2017-10-02 00:01:55Z
    const auto in_october = month_shares(result);
    REQUIRE(in_october.size() == 1);
    CHECK(in_october[0].name == "2017-10");
    CHECK(in_october[0].held == slot_time(10 * slots_per_gpu, 4 * hour));
    *result.zero_utc_ms += (29 * 24 + 23) * hour.count(); // 2017-10-31 23:01:55Z
    const auto shares = month_shares(result);
    REQUIRE(shares.size() == 2);
    CHECK(shares[0].name == "2017-10");
    CHECK(shares[0].held == slot_time(10 * slots_per_gpu, hour - 115 * second));
    CHECK(shares[1].name == "2017-11");
    CHECK(shares[0].held + shares[1].held == in_october[0].held);
    CHECK(shares[0].cost + shares[1].cost == in_october[0].cost);
    result.zero_utc_ms.reset();
    CHECK(month_shares(result).empty());
}

TEST_CASE("time billed past the end is in no month") {
    Result result = test::sample_result();
    ResultCell& cell = result.cells.back();
    cell.held += slot_time(slots_per_gpu, hour);
    cell.cost += result.pools[cell.pool].price.at({}) * slot_time(slots_per_gpu, hour);
    const auto shares = month_shares(result);
    REQUIRE(shares.size() == 2);
    CHECK(shares[1].name == no_month_name);
    CHECK(shares[1].held == slot_time(slots_per_gpu, hour));
    CHECK(shares[1].cost == result.pools[cell.pool].price.at({}) * shares[1].held);
}

TEST_CASE("the jobs that cost most come first, and the rest adds up to the payment") {
    const Result result = test::sample_result();
    const BillRow paid = bill_table(result, {}).paid;
    const CostliestJobs two = costliest_jobs(result, 2, paid);
    REQUIRE(two.rows.size() == 4);
    CHECK(two.add_up);
    CHECK(two.jobs[0].cost >= two.jobs[1].cost);
    CHECK(two.rows[0].usd_cents >= two.rows[1].usd_cents);
    CHECK(two.rows[2].label == "other (" + std::to_string(two.num_others) + ")");
    CHECK(add_up(priced_lines(two.rows, paid)));
    const CostliestJobs all = costliest_jobs(result, 100, paid);
    CHECK(all.num_others == 0);
    CHECK(all.jobs.size() == 2 + two.num_others);
    CHECK(costliest_jobs(result, 0, paid).jobs.empty());
}

TEST_CASE("the costliest jobs of a run without prices have shares of its GPU-hours alone") {
    Result result = test::sample_result();
    result.window_begin = hour;
    for (ResultPool& pool : result.pools)
        pool.price = PoolPrice{};
    for (ResultCell& cell : result.cells)
        cell.cost = {};
    const CostliestJobs jobs = costliest_jobs(result, 1, bill_table(result, {}).paid);
    REQUIRE(jobs.rows.size() == 1); // 8 of 40 GPU-hours
    CHECK(jobs.rows[0].hours_permille == 200);
    CHECK(jobs.rows[0].usd_permille == 0);
}

TEST_CASE("rows by pool are ordered as requested, and `other` needs a row to sum up") {
    Result result = test::sample_result();
    result.pools[0].name = "v100"; // 32 GPU-hours; t4: 8
    OutputOptions options;
    options.group_by = GroupBy::pool;
    const auto labels = [&] {
        std::vector<std::string> out;
        for (const BillRow& row : bill_table(result, options).rows)
            out.push_back(row.label);
        return out;
    };
    using Labels = std::vector<std::string>;
    options.sort = SortBy::gpu_hours;
    CHECK(labels() == Labels{"v100", "t4"});
    options.sort = SortBy::name;
    CHECK(labels() == Labels{"t4", "v100"});
    options.top = 2;
    CHECK(labels() == Labels{"t4", "v100"});
    options.top = 1;
    CHECK(labels() == Labels{"t4", "other (1)"});
}

TEST_CASE("productive time that is all useful needs no note") {
    Result result = test::sample_result();
    CHECK(bill_table(result, {}).rows[0].note.starts_with("useful "));
    for (ResultCell& cell : result.cells)
        if (cell.leaf == Leaf::prod_uncommitted)
            cell.leaf = Leaf::prod_useful;
    CHECK(bill_table(result, {}).rows[0].label == "productive");
    CHECK(bill_table(result, {}).rows[0].note.empty());
    CHECK_FALSE(bill_table(result, {}).rows[1].note.empty());
}

TEST_CASE("every line of the Markdown bill can be recomputed, and every table adds up") {
    CHECK(check_property("hours x rate = dollars", [] {
        const Result result = test::random_result();
        OutputOptions options;
        options.top = drawn::in_range<std::size_t>(0, 5);
        for (int by = 1; by < static_cast<int>(group_by_names.size()); ++by) {
            options.group_by = static_cast<GroupBy>(by);
            const BillTable bill = bill_table(result, options);
            const auto lines = priced_lines(bill.rows, bill.paid);
            RC_ASSERT(add_up(lines));
            for (const PricedLine& line : lines)
                RC_ASSERT(can_be_worked_out(line));
        }
        const BillRow paid = bill_table(result, {}).paid;
        const CostliestJobs jobs = costliest_jobs(result, *options.top, paid);
        if (jobs.add_up)
            RC_ASSERT(add_up(priced_lines(jobs.rows, paid)));
    }));
}

TEST_CASE("the page has the same tables") {
    const std::string page = markdown(test::sample_result());
    for (const char* title : {"Cost by pool",
                              "Cost by purchase",
                              "Cost by month",
                              "Cost by tenant",
                              "Jobs that cost most"}) {
        CAPTURE(title);
        const auto rows = table_after(page, title);
        REQUIRE(rows.size() > 1);
        std::int64_t cents = 0;
        for (const auto& row : rows)
            cents += units(row[row.size() - 2]) * (&row == &rows.back() ? -1 : 1);
        CHECK(cents == 0);
        CHECK(rows.back().front() == "**paid**");
        CHECK(rows.back()[rows.back().size() - 2] == "33.20");
    }
    CHECK(page.find("Period: 2017-10-02 00:01:55Z to 2017-10-02 04:01:55Z, 4.0000 h\n") !=
          std::string::npos);
}

TEST_CASE("the table has a title for every grouping") {
    Result result = test::sample_result();
    const auto table = [&](GroupBy by) {
        OutputOptions options;
        options.group_by = by;
        StringSink sink;
        write_terminal_table(result, options, sink);
        return sink.text();
    };
    for (std::size_t by = 0; by < group_by_names.size(); ++by) {
        CAPTURE(group_by_names[by]);
        const std::string text = table(static_cast<GroupBy>(by));
        CHECK(text.find(by == 0 ? "  where it went" : "  by ") != std::string::npos);
        CHECK(text.find("\n  paid") != std::string::npos);
    }
    CHECK(table(GroupBy::month).find("\n  2017-10 ") != std::string::npos);
    result.zero_utc_ms.reset();
    CHECK(table(GroupBy::month).find("\n  no month is known ") != std::string::npos);
}

TEST_CASE("waits by tenant are of the same jobs as the metrics") {
    const Result result = test::sample_result();
    const auto rows = table_after(markdown(result), "Waits by tenant");
    REQUIRE(rows.size() > 2);
    std::int64_t jobs = 0;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i)
        jobs += units(rows[i][1]);
    CHECK(jobs == static_cast<std::int64_t>(result.metrics.wait.count));
    CHECK(units(rows.back()[1]) == jobs);
    OutputOptions options;
    options.top = 1;
    CHECK(table_after(markdown(result, options), "Waits by tenant").size() == 3);
}

} // namespace bursar::priced_lines_test
