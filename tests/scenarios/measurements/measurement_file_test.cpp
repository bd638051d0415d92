#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/measurements/measurement_file.hpp"

#include "tests/shared_data.hpp"

namespace bursar::measurement_file_test {

TEST_CASE("the header decides the kind of a file, for any name and order of columns") {
    const auto kind = [](const char* header) {
        return read_measurement_text(header, "any.csv").kind;
    };
    CHECK(kind("step_s,gpus,gpu\n") == MeasurementKind::training);
    CHECK(kind("hidden,layers,gpus,gpu,mem_gb\n") == MeasurementKind::training);
    CHECK(kind("bytes,n_gpus,collective,gpu,extra\n") == MeasurementKind::collective);
    CHECK(kind("quantity,value,unit,micro_batch\n") == MeasurementKind::memory);
    CHECK(kind("gpu,num_gpu,model,throughput\n") == MeasurementKind::throughput);
    CHECK(kind("gpu,mamf_tflops,peak_tflops\n") == MeasurementKind::gemm);
    CHECK(kind("gpu,fp32_tflops,mem_tbps\n") == MeasurementKind::peaks);
    CHECK(kind("topic,quantity,value,unit\n") == MeasurementKind::facts);
    CHECK(kind("params,flops,tokens,loss\n") == MeasurementKind::loss_runs);
    CHECK(kind("params,tokens,unique_tokens,loss\n") == MeasurementKind::repeated_data);
    CHECK(kind("approach,params,flops,tokens\n") == MeasurementKind::allocation_table);
    CHECK_FALSE(kind("a,b\n"));
}

TEST_CASE("fields are read as published") {
    const MeasurementFile file = read_measurement_text("\xEF\xBB\xBFID, Step_s ,gpus,gpu,notes\r\n"
                                                       "a, 1.5 ,8,A100,\"one, two\"\r\n"
                                                       "b,n/a,2.5,A100\r\n"
                                                       "c,-1,0,A100,,surplus\r\n"
                                                       "d,NaN,x,A100,\r\n",
                                                       "f.csv");
    REQUIRE(file.rows.size() == 4);
    const auto& rows = file.rows;
    CHECK(file.positive(rows[0], "step_s") == 1.5);
    CHECK(file.count(rows[0], "gpus") == 8);
    CHECK(file.text(rows[0], "notes") == "one, two");
    CHECK(file.id(rows[0]) == "a");
    CHECK_FALSE(file.number(rows[0], "no_such_column"));

    CHECK_FALSE(file.number(rows[1], "step_s")); // n/a: not published
    CHECK(file.text(rows[1], "notes").empty());  // the line ends early
    CHECK_THROWS_AS(static_cast<void>(file.count(rows[1], "gpus")), ModelError); // 2.5 GPUs

    CHECK_FALSE(rows[2].problem.empty());
    CHECK_THROWS_AS(static_cast<void>(file.positive(rows[2], "step_s")), ModelError);
    CHECK_THROWS_AS(static_cast<void>(file.count(rows[2], "gpus")), ModelError);

    CHECK_FALSE(file.number(rows[3], "step_s"));
    CHECK_THROWS_WITH_AS(
        static_cast<void>(file.number(rows[3], "gpus")), doctest::Contains("gpus"), ModelError);
}

TEST_CASE("files that are not tables are refused") {
    CHECK_THROWS_AS(read_measurement_text("", "f.csv"), ScenarioError);
    CHECK_THROWS_AS(read_measurement_text("gpu,gpus,gpu\n", "f.csv"), ScenarioError);
    CHECK_THROWS_AS(measurement_paths("no/such/folder"), ScenarioError);
}

TEST_CASE("every published file is recognised by its header") {
    const auto folder = test::shared_data("validation");
    if (!folder)
        return;
    const std::vector<std::string> paths = measurement_paths(folder->string());
    CHECK(paths.size() >= 14);
    for (const std::string& path : paths) {
        CAPTURE(path);
        const MeasurementFile file = read_measurement_file(path);
        CHECK(file.kind.has_value());
        CHECK_FALSE(file.rows.empty());
        for (const MeasurementRow& row : file.rows)
            CHECK(row.problem.empty());
    }
}

} // namespace bursar::measurement_file_test
