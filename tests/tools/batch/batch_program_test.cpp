// The program bursar-batch: its rows agree with `bursar run`, and wrong input is refused.

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/contains.hpp"
#include "tests/places.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::batch_program_test {
namespace {

using Row = std::map<std::string, std::string>;
using Words = std::vector<std::string>;

Answer batch(const Words& words) {
    return run_program(
        std::filesystem::path{program_file()}.replace_filename("bursar-batch").string(), words);
}

std::string compiled(const TemporaryFolder& folder,
                     const std::string& name,
                     const Words& options = {},
                     const std::string& scenario = "scenarios/examples/failing-cluster.yaml") {
    Words words{"compile", source_file(scenario), "-o", folder.file(name)};
    words.insert(words.end(), options.begin(), options.end());
    const Answer answer = bursar(words);
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    return folder.file(name);
}

/// The figures of a row as `bursar run` prints them.
void check_agrees(const Row& row) {
    CAPTURE(row.at("plan"));
    const Answer run = bursar({"run", row.at("plan"), "--format", "json"});
    REQUIRE(run.code == 0);
    const nlohmann::json summary = nlohmann::json::parse(run.out);
    CHECK(row.at("status") == "ok");
    CHECK(row.at("fingerprint") == summary["run"]["fingerprint"].get<std::string>());
    CHECK(row.at("events") == summary["run"]["events"].dump());
    for (const char* what : {"gpu_hours", "cost"}) {
        const nlohmann::json& exact = summary["exact"][what];
        const std::string prefix = std::string{"exact."} + what + ".";
        CHECK(row.at(prefix + "paid") == exact["paid"].get<std::string>());
        for (const auto& [leaf, number] : exact["by_leaf"].items())
            CHECK(row.at(prefix + "by_leaf." + leaf) == number.get<std::string>());
    }
}

} // namespace

TEST_CASE("rows of bursar-batch equal bursar run on the same plans") {
    const TemporaryFolder folder;
    for (const char* example :
         {"autoscaled", "carbon", "deadlines", "failing-cluster", "multi-cloud", "spot"})
        compiled(folder,
                 std::string{example} + ".bplan",
                 {},
                 "scenarios/examples/" + std::string{example} + ".yaml");
    for (const char* queue : {"fifo", "srtf", "las", "drf"})
        compiled(
            folder, std::string{queue} + ".bplan", {"--set", "policy.queue=" + std::string{queue}});
    const Answer answer =
        batch({"--device", "host", folder.path().string(), "-o", folder.file("out.csv")});
    CAPTURE(answer.err);
    CHECK(answer.code == 0);
    CHECK(answer.out.empty());
    CHECK(contains(answer.err, "bursar-batch: the host ("));
    const std::vector<Row> rows = read_plain_csv(read_file(folder.file("out.csv")));
    REQUIRE(rows.size() == 10);
    for (const Row& row : rows)
        check_agrees(row);
    CHECK(batch({"--device=host", folder.path().string()}).out ==
          read_file(folder.file("out.csv")));
}

TEST_CASE("the page of bursar-batch explains every column of its table") {
    const TemporaryFolder folder;
    const std::string plan = compiled(folder, "good.bplan");
    const std::string page = read_file(source_file("tools/batch/README.md"));
    const std::string table = batch({plan, "--device", "host"}).out;
    const std::vector<Row> rows = read_plain_csv(table);
    REQUIRE(rows.size() == 1);
    for (const auto& [column, value] : rows[0]) {
        const std::size_t leaf = column.find("by_leaf.");
        CHECK_MESSAGE(contains(page, "`" + column.substr(0, leaf)), column);
    }
}

TEST_CASE("all plans that cannot be used are named before anything runs") {
    const TemporaryFolder folder;
    const std::string good = read_file(compiled(folder, "good.bplan"));
    folder.write("cut.bplan", good.substr(0, good.size() / 2));
    std::string other = good;
    other[good.size() / 2] = static_cast<char>(other[good.size() / 2] ^ 4);
    folder.write("flipped.bplan", other);
    other = good;
    other[12] = 9;
    folder.write("newer.bplan", other);
    folder.write("text.bplan", "bursar: 1\n");
    const Answer answer =
        batch({folder.path().string(), folder.file("none.bplan"), "-o", folder.file("out.csv")});
    CHECK(answer.code == 2);
    CHECK(answer.out.empty());
    CHECK(std::ranges::count(answer.err, '\n') == 5);
    CHECK(contains(answer.err, folder.file("cut.bplan") + ": it is cut short"));
    CHECK(contains(answer.err, folder.file("flipped.bplan") + ": it is damaged"));
    CHECK(contains(answer.err, folder.file("newer.bplan") + ": it is of version 9"));
    CHECK(contains(answer.err, folder.file("text.bplan") + ": it is no plan file"));
    CHECK(contains(answer.err, folder.file("none.bplan") + ": cannot read the file (No such file"));
    CHECK(!std::filesystem::exists(folder.file("out.csv")));
    CHECK(!std::filesystem::exists(folder.file("out.csv.part")));
}

TEST_CASE("too little memory for plans is a failure of the machine") {
    const TemporaryFolder folder;
    const std::string plan = compiled(folder,
                                      "large.bplan",
                                      {"--set", "workload.synthetic.jobs=200000"},
                                      "scenarios/examples/sweep.yaml");
    const std::string program =
        std::filesystem::path{program_file()}.replace_filename("bursar-batch").string();
    for (const char* kilobytes : {"12000", "16000", "20000", "24000", "28000"}) {
        CAPTURE(kilobytes);
        const Answer answer = run_program("ulimit -v " + std::string{kilobytes} + "; " + program,
                                          {plan, "--device", "host", "--threads", "1"});
        CAPTURE(answer.err);
        CHECK(answer.code != 2);
    }
}

TEST_CASE("bursar-batch reports mistakes of a command line, an output or the machine") {
    const TemporaryFolder folder;
    const std::string plan = compiled(folder, "good.bplan");
    const std::string before = read_file(plan);
    CHECK(batch({}).code == 2);
    CHECK(batch({plan, "--device", "tpu"}).code == 2);
    CHECK(contains(batch({plan, "-o", plan}).err, "would take the place of a plan"));
    CHECK(batch({plan, "-o", plan}).code == 2);
    CHECK(read_file(plan) == before);
    const Answer nowhere = batch({plan, "-o", folder.file("none/out.csv")});
    CHECK(nowhere.code == 1);
    CHECK(contains(nowhere.err, "No such file"));
    std::filesystem::create_symlink("behind.csv", folder.file("link.csv"));
    folder.write("behind.csv", "old");
    CHECK(batch({plan, "-o", folder.file("link.csv")}).code == 0);
    CHECK(std::filesystem::is_symlink(folder.file("link.csv")));
    CHECK(read_file(folder.path() / "behind.csv").starts_with("plan,"));
    CHECK(batch({plan, "-o", "/dev/null"}).code == 0);
    CHECK(!std::filesystem::is_regular_file("/dev/null"));
    const std::filesystem::path empty = folder.path() / "empty";
    std::filesystem::create_directory(empty);
    CHECK(contains(batch({empty.string()}).err, "the folder holds no plan file"));
    if (std::filesystem::exists("/dev/full")) {
        std::filesystem::create_symlink("/dev/full", folder.file("full.csv.part"));
        const Answer full = batch({plan, "-o", folder.file("full.csv")});
        CHECK(full.code == 1);
        CHECK(contains(full.err, "No space left"));
    }
}

TEST_CASE("an answer of bursar-batch that cannot be written is a failure") {
    const TemporaryFolder folder;
    const std::string plan = compiled(folder, "good.bplan");
    const std::string program =
        std::filesystem::path{program_file()}.replace_filename("bursar-batch").string();
    for (const std::string& words : {std::string{"--help"}, "'" + plan + "'"})
        for (const char* const closed : {" >/dev/full", " >&-"}) {
            CAPTURE(words);
            const int status = std::system( // NOLINT(concurrency-mt-unsafe)
                (program + " " + words + closed + " 2>'" + folder.file("err") + "'").c_str());
            REQUIRE(WIFEXITED(status));
            CHECK(WEXITSTATUS(status) == 1);
            CHECK(contains(read_file(folder.file("err")), "standard output: "));
        }
    CHECK(contains(batch({"x\x1b[31m"}).err, "x\\x1b[31m: cannot read the file"));
}

TEST_CASE("a GPU that is named must exist") {
    const TemporaryFolder folder;
    const std::string plan = compiled(folder, "good.bplan");
    if (batch({"--devices"}).code == 0) {
        MESSAGE("skipped: there is a GPU");
        return;
    }
    for (const char* device : {"cuda", "both"}) {
        const Answer answer = batch({plan, "--device", device, "-o", folder.file("out.csv")});
        CHECK(answer.code == 1);
        CHECK(contains(answer.err, "GPU"));
        CHECK(!std::filesystem::exists(folder.file("out.csv")));
    }
    const Answer either = batch({plan, "-o", folder.file("out.csv")});
    CHECK(either.code == 0);
    CHECK(contains(either.err, "the host makes all runs: "));
}

TEST_CASE("a budget that acts is refused by name") {
    const TemporaryFolder folder;
    const std::string jobs = "workload: {jobs: [{name: a, gpus: 8, duration: 40 h}, {name: b, "
                             "gpus: 8, duration: 40 h}]}\n";
    const std::string fleet = "fleet:\n"
                              "  - {pool: p, purchase: spot, gpu: H100, nodes: 1, gpus_per_node: 8,"
                              " price: 2 USD/gpu-h}\n";
    const std::string budget = folder.write(
        "b.yaml",
        "bursar: 1\n" + jobs + fleet + "budgets: [{limit: 100 USD, then: stop-admitting}]\n");
    REQUIRE(bursar({"compile", budget, "-o", folder.file("b.bplan")}).code == 0);
    const Answer answer = batch({folder.file("b.bplan"), "-o", folder.file("out.csv")});
    CHECK(answer.code == 4);
    CHECK(contains(answer.err, "b.bplan: its budgets act on the run: `bursar run` makes this run"));
    CHECK(contains(read_file(folder.file("out.csv")), ",refused,"));
}

} // namespace bursar::test::batch_program_test
