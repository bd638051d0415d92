#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/plan_file/plan_file.hpp"

#include "policies/choice/policy_members.hpp"
#include "policies/stored/stored_run.hpp"

#include "tests/plan_builder.hpp"
#include "tests/tools/batch/failing_device.hpp"
#include "tests/tools/program.hpp"
#include "tools/batch/batch_plans.hpp"
#include "tools/batch/make_batch.hpp"
#include "tools/batch/run_on_gpus.hpp"
#include "tools/simulate/version.hpp"

namespace bursar::test::make_batch_test {
namespace {

using Row = std::map<std::string, std::string>;

/// 30 jobs of which 4 run at once; longer ones for a larger number.
Plan plan_number(int number) {
    std::vector<JobSpec> jobs(30, JobSpec{0, 10, 1});
    jobs[0].work_s += number;
    return plan_of(jobs, {pool_of(1, 4)});
}

void write_plan(const TemporaryFolder& folder,
                const std::string& name,
                const Plan& plan,
                const PolicyChoice& choice,
                RunTerms terms = {}) {
    terms.version = version;
    PlanFileWriter file;
    add_plan(plan, file);
    file.add_record(policy_section, choice);
    file.add_record(terms_section, terms);
    const std::vector<std::byte> bytes = std::move(file).finish();
    folder.write(name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

/// Plans p10.bplan to p19.bplan, half of them under another order.
void write_ten(const TemporaryFolder& folder) {
    for (int i = 10; i < 20; ++i)
        write_plan(folder,
                   "p" + std::to_string(i) + ".bplan",
                   plan_number(i),
                   {.queue = i % 2 == 0 ? "sjf" : "fifo", .capacity = "count"});
}

struct Made {
    int code{};
    std::vector<Row> rows;
};

Made make(const TemporaryFolder& folder,
          BatchOn on,
          const std::vector<BatchGpu>& gpus = {},
          std::size_t repeat = 1) {
    BatchCommand options;
    options.plans = {folder.path().string()};
    options.output = folder.file("out.csv");
    options.on = on;
    options.threads = 2;
    options.repeat = repeat;
    const int code = make_batch(options, gpus);
    CHECK(!std::filesystem::exists(folder.file("out.csv.part")));
    return {code, read_plain_csv(read_file(folder.file("out.csv")))};
}

std::size_t count(const std::vector<Row>& rows, const std::string& status) {
    std::size_t num = 0;
    for (const Row& row : rows)
        num += row.at("status") == status ? 1 : 0;
    return num;
}

} // namespace

TEST_CASE("devices have the same rows as the host, for any number of devices") {
    const TemporaryFolder folder;
    write_ten(folder);
    const Made host = make(folder, BatchOn::host);
    CHECK(host.code == 0);
    REQUIRE(host.rows.size() == 10);
    CHECK(host.rows[3].at("plan") == folder.file("p13.bplan"));
    CHECK(count(host.rows, "ok") == 10);
    CHECK(host.rows[0].at("finished") == "30");
    CHECK(host.rows[0].at("fingerprint") != host.rows[1].at("fingerprint"));
    for (const std::size_t num_gpus : {1, 3}) {
        std::vector<BatchGpu> gpus;
        for (std::size_t i = 0; i < num_gpus; ++i)
            gpus.push_back(lanes_as_gpu("lanes " + std::to_string(i)));
        const Made made = make(folder, BatchOn::gpus, gpus);
        CHECK(made.code == 0);
        CHECK(made.rows == host.rows);
        CHECK(make(folder, BatchOn::both, gpus, 2).code == 0);
        CHECK(make(folder, BatchOn::either, gpus).rows == host.rows);
    }
}

TEST_CASE("a device's answer that differs from the host's is reported, and fails the batch") {
    const TemporaryFolder folder;
    write_ten(folder);
    const std::vector<BatchGpu> gpus{lanes_as_gpu("lanes", {.changes_answers = true})};
    CHECK(make(folder, BatchOn::both, gpus).code == 1);
    CHECK(make(folder, BatchOn::gpus, gpus).code == 0); // nothing is compared
}

TEST_CASE("runs that a lost device had finished are kept; the others fail or run elsewhere") {
    const TemporaryFolder folder;
    write_ten(folder);
    const Made host = make(folder, BatchOn::host);
    // Two orders are two batches: the second never ends.
    const std::vector<BatchGpu> lossy{lanes_as_gpu("lossy", {.lost_at = 1})};
    const Made lost = make(folder, BatchOn::gpus, lossy);
    CHECK(lost.code == 1);
    CHECK(count(lost.rows, "ok") == 5);
    CHECK(count(lost.rows, "failed") == 5);
    for (std::size_t i = 0; i < lost.rows.size(); ++i) {
        if (lost.rows[i].at("status") == "ok")
            CHECK(lost.rows[i] == host.rows[i]);
        else
            CHECK(lost.rows[i].at("why") ==
                  "lossy: running a batch on the GPU: unspecified launch failure");
    }
    CHECK(make(folder, BatchOn::gpus, {lossy[0], lanes_as_gpu("well")}).rows == host.rows);
    CHECK(make(folder, BatchOn::both, lossy).code == 1); // and some are not compared
}

TEST_CASE("after an error that ends the program the finished rows are there") {
    const TemporaryFolder folder;
    write_ten(folder);
    BatchCommand command;
    command.plans = {folder.path().string()};
    command.output = folder.write("out.csv", "of an earlier batch");
    command.on = BatchOn::gpus;
    const std::vector<BatchGpu> gpus{lanes_as_gpu("lanes", {.breaks_at = 1})};
    CHECK_THROWS_WITH(static_cast<void>(make_batch(command, gpus)), "broken");
    CHECK(read_file(folder.file("out.csv")) == "of an earlier batch");
    CHECK(count(read_plain_csv(read_file(folder.file("out.csv.part"))), "ok") == 5);
}

TEST_CASE("after a measurement the host makes the runs that GPUs leave") {
    const TemporaryFolder folder;
    write_ten(folder);
    const Made host = make(folder, BatchOn::host);
    for (const std::size_t lost_at : {std::size_t{0}, std::size_t{1}, std::size_t{100}}) {
        const Made made =
            make(folder, BatchOn::either, {lanes_as_gpu("lossy", {.lost_at = lost_at})}, 20);
        CHECK(made.code == 0);
        CHECK(made.rows == host.rows);
    }
}

TEST_CASE("runs that need more than the plan are refused by name, and the others are made") {
    const TemporaryFolder folder;
    write_ten(folder);
    const PolicyChoice choice{.capacity = "count"};
    write_plan(
        folder, "a.bplan", plan_number(0), choice, {"", {}, false, false, {"its budgets act"}});
    const RunTerms drawn{"", Duration{50'000}, true};
    write_plan(folder, "b.bplan", plan_number(0), choice, drawn);
    RunTerms far = drawn;
    far.drawn_until = Duration{500'000};
    write_plan(folder, "c.bplan", plan_number(0), choice, far);
    write_plan(folder, "d.bplan", plan_number(0), {.queue = "srtf"}); // lanes have it on counts
    const Made host = make(folder, BatchOn::host);
    CHECK(host.code == 4);
    CHECK(count(host.rows, "ok") == 12);
    CHECK(host.rows[0].at("why") == "its budgets act: `bursar run` makes this run");
    CHECK(host.rows[1].at("status") == "refused");
    CHECK(host.rows[1].at("fingerprint").empty());
    CHECK(host.rows[1].at("why").starts_with("\"it goes on behind what is drawn"));
    CHECK(host.rows[2].at("status") == "ok");
    const std::vector<BatchGpu> gpus{lanes_as_gpu("lanes")};
    const Made on_gpus = make(folder, BatchOn::gpus, gpus);
    CHECK(on_gpus.code == 4);
    CHECK(on_gpus.rows[3].at("why") == "the device has no kernel for its policies on plain nodes");
    CHECK(make(folder, BatchOn::either, gpus, 20).rows == host.rows);
}

TEST_CASE("the times of a batch count the runs of each device, and no file gets both tables") {
    const TemporaryFolder folder;
    write_ten(folder);
    write_plan(folder, "d.bplan", plan_number(0), {.queue = "srtf"}); // lanes have it on counts
    BatchCommand options;
    options.plans = {folder.path().string()};
    options.output = folder.file("out.csv");
    options.times = folder.file("times.csv");
    options.on = BatchOn::both;
    CHECK(make_batch(options, std::vector{lanes_as_gpu("lanes")}) == 4);
    const std::vector<Row> rows = read_plain_csv(read_file(options.times));
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].at("runs") == "11");
    CHECK(rows[0].at("jobs") == "330");
    CHECK(rows[1].at("device") == "cuda");
    CHECK(rows[1].at("runs") == "10");
    CHECK(rows[1].at("jobs") == "300");
    for (const std::string& same : {folder.file("out.csv"), folder.file("./out.csv")}) {
        options.times = same;
        CHECK_THROWS_AS(static_cast<void>(make_batch(options, {})), BadCommandLine);
        options.on = BatchOn::host;
        CHECK_THROWS_AS(static_cast<void>(make_batch(options, {})), BadCommandLine);
    }
    options.output = options.times = "/dev/null";
    CHECK(make_batch(options, {}) == 0);
}

TEST_CASE("a GPU that makes none of a sample gets no more runs") {
    const TemporaryFolder folder;
    write_plan(folder, "a.bplan", plan_number(0), {.queue = "srtf"}); // lanes have it on counts
    const std::vector<BatchGpu> gpus{lanes_as_gpu("lanes")};
    CHECK(make(folder, BatchOn::gpus, gpus).code == 4);
    const Made made = make(folder, BatchOn::either, gpus, 200);
    CHECK(made.code == 0);
    CHECK(count(made.rows, "ok") == 1);
}

TEST_CASE("plan files with equal plans share one") {
    const TemporaryFolder folder;
    write_plan(folder, "a.bplan", plan_number(1), {.queue = "sjf", .capacity = "count"});
    write_plan(folder, "b.bplan", plan_number(1), {.capacity = "count"});
    write_plan(folder, "c.bplan", plan_number(2), {.capacity = "count"});
    const std::vector<BatchPlan> plans = load_plans(plan_files({folder.path().string()}), 2);
    CHECK(plans[0].plan == plans[1].plan);
    CHECK(plans[0].plan != plans[2].plan);
    CHECK(plans[0].hash != plans[1].hash);
}

} // namespace bursar::test::make_batch_test
