// Classes with a model, from the scenario to the bill.

#include <cstdlib>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/contains.hpp"
#include "tests/places.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::training_test {
namespace {

const std::string example = source_file("scenarios/examples/train-llms.yaml");

} // namespace

TEST_CASE("a month of gpt-175b and llama-3-8b on 128 H100 nodes shows its stalls in every format") {
    const Answer table = bursar({"run", example});
    CAPTURE(table.err);
    REQUIRE(table.code == 0);
    CHECK(contains(table.out, "stalled"));
    CHECK(contains(table.out, "comm "));
    CHECK(contains(table.out, "bubble "));
    CHECK(contains(unwrapped(table.out),
                   "step times are those of software stack megatron-core-h100"));
    CHECK(contains(table.out, "uncertain: "));
    CHECK(contains(table.out, "GPUs of pool h100: "));
    CHECK(contains(unwrapped(table.out), "% in 80 % of cases"));

    const nlohmann::json summary =
        nlohmann::json::parse(bursar({"run", example, "--format", "json"}).out);
    const auto& hours = summary["gpu_hours"]["by_leaf"];
    CHECK(hours["stall.comm"].get<double>() > 10'000);
    CHECK(hours["stall.bubble"].get<double>() > 1'000);
    CHECK(hours["stall.input"].get<double>() == 0);
    double booked = 0;
    for (const auto& [leaf, value] : hours.items())
        booked += value.get<double>();
    CHECK(booked == doctest::Approx(1024 * 720).epsilon(1e-9));
    CHECK(contains(summary["coverage"]["assumed"].dump(), "llama-3-8b on 256 GPUs of pool h100"));

    CHECK(contains(bursar({"run", example, "--format", "markdown"}).out, "comm"));
    const TemporaryFolder folder;
    REQUIRE(bursar({"run", example, "--out", folder.file("out")}).code == 0);
    CHECK(contains(read_file(folder.file("out/gpu_hours.csv")), ",stall.comm,"));
    double stalled = 0;
    double productive = 0;
    for (auto& row : read_plain_csv(read_file(folder.file("out/jobs.csv")))) {
        CAPTURE(row["job_id"]);
        const auto number = [&](const char* column) { return std::stod(row[column]); };
        if (row["job_id"].starts_with("finetune")) // of 20: finetune#1 and so on
            CHECK(number("stalled_gpu_hours") == 0);
        else
            CHECK(number("stalled_gpu_hours") > 0);
        CHECK(number("productive_gpu_hours") + number("stalled_gpu_hours") <= number("gpu_hours"));
        stalled += number("stalled_gpu_hours");
        productive += number("productive_gpu_hours");
    }
    CHECK(stalled ==
          doctest::Approx(hours["stall.comm"].get<double>() + hours["stall.bubble"].get<double>() +
                          hours["stall.sync"].get<double>()));
    CHECK(productive == doctest::Approx(hours["prod.useful"].get<double>() +
                                        hours["prod.uncommitted"].get<double>()));
}

TEST_CASE("check prints the forecast of a class that trains") {
    const Answer answer = bursar({"check", example});
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    CHECK(contains(answer.out, "gpt-175b on 768 GPUs of h100: 95368 steps of "));
    CHECK(contains(answer.out, "tensor 8 x pipeline 8 x data 12, micro-batch 1 x 128, zero1"));
    CHECK(contains(answer.out, "stalls: comm "));
    CHECK(contains(answer.out, "GB usable per GPU, checkpoint "));
}

TEST_CASE("a saved result of trained jobs renders to the same bytes again") {
    const TemporaryFolder folder;
    REQUIRE(bursar({"run", example, "--out", folder.file("out"), "--reproducible"}).code == 0);
    const std::string saved = read_file(folder.file("out/result.json"));
    CHECK(contains(saved, "\"stalled_slots\""));
    const Answer again = bursar({"report",
                                 folder.file("out/result.json"),
                                 "--out",
                                 folder.file("again"),
                                 "--reproducible"});
    CAPTURE(again.err);
    REQUIRE(again.code == 0);
    CHECK(read_file(folder.file("again/jobs.csv")) == read_file(folder.file("out/jobs.csv")));
    CHECK(read_file(folder.file("again/result.json")) == saved);
}

TEST_CASE("a model that fits no GPU exits with 2 and says by how much") {
    const Answer answer =
        bursar({"run", example, "--set", "workload.classes[0].parallelism={tensor: 8}"});
    CHECK(answer.code == 2);
    CHECK(contains(answer.err, "gpt-175b cannot be trained on 768 GPUs of any pool it may use"));
    CHECK(contains(answer.err, "GB too much"));
    CHECK(answer.out.empty());
}

} // namespace bursar::test::training_test
