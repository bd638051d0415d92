#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "models/training/step/attention_core.hpp"
#include "models/training/step/gemm.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/measurements/operator_check.hpp"
#include "scenarios/measurements/operator_file.hpp"

namespace bursar::operator_file_test {
namespace {

const std::string header =
    "gpu,precision,m,n,k,seq,batch,heads,head_dim,causal,collective,n_gpus,nodes,bytes,time_us,"
    "tflops\n";

const std::string rows = "H100,bf16,8192,4096,4096,,,,,,,,,,,600\n"
                         "H100 SXM,bf16,2048,4096,4096,,,,,,,,,,100,\n"
                         "H100,fp8-e4m3,8192,4096,4096,,,,,,,,,,,1100\n"
                         "A100,bf16,4096,4096,4096,,,,,,,,,,,250\n"
                         ",,,,,4096,2,32,128,yes,,,,,2000,\n"
                         "H100,,,,,,,,,,all_reduce,8,1,1000000,50,\n"
                         "H100,,,,,,,,,,all_reduce,8,1,4000000,80,\n"
                         "H100,,,,,,,,,,all_gather,16,2,1000000,90,\n";

OperatorTable table_of(const std::string& text) {
    const Catalogue gpus = builtin_catalogue();
    const auto path = std::filesystem::temp_directory_path() / "bursar_operator_file_test.csv";
    std::ofstream{path} << text;
    return read_operators(path.string(), *gpus.find("H100"), gpus);
}

std::string error_of(const std::string& text) {
    try {
        static_cast<void>(table_of(text));
    } catch (const ScenarioError& error) {
        const std::string what = error.what();
        return what.substr(what.find(".csv:") + 5);
    }
    return {};
}

double tflops(const MeasuredKernels& kernels, const MatrixProduct& product) {
    const auto time = kernels.time(product);
    return time ? product.flops().count() / time->count() / 1e12 : 0;
}

} // namespace

TEST_CASE("the operators of one GPU are read, whatever the order of rows") {
    const OperatorTable table = table_of(header + rows);
    CHECK(table.rows == 7);
    CHECK(table.others == std::vector<std::string>{"A100"});
    const MeasuredKernels& bf16 =
        table.operators.kernels[static_cast<std::size_t>(Precision::bf16)];
    REQUIRE(bf16.products.size() == 2);
    CHECK(tflops(bf16, {8192, 4096, 4096}) == doctest::Approx(600));
    CHECK(tflops(bf16, {2048, 4096, 4096}) ==
          doctest::Approx(2.0 * 2048 * 4096 * 4096 / 100e-6 / 1e12));
    CHECK(table.operators.kernels[static_cast<std::size_t>(Precision::fp8)].products.size() == 1);
    CHECK(bf16.causal.size() == 1);
    CHECK(table.collectives.all().size() == 2);
}

TEST_CASE("shapes between measured ones are interpolated, others are not known") {
    const OperatorTable table = table_of(header + rows);
    const MeasuredKernels& bf16 =
        table.operators.kernels[static_cast<std::size_t>(Precision::bf16)];
    const double low = tflops(bf16, {8192, 4096, 4096});
    const double high = tflops(bf16, {2048, 4096, 4096});
    // As far from the one as from the other.
    CHECK(tflops(bf16, {4096, 4096, 4096}) == doctest::Approx(std::sqrt(low * high)));
    CHECK_FALSE(bf16.time(MatrixProduct{512, 4096, 4096}));
    CHECK_FALSE(bf16.time(MatrixProduct{8192, 4096, 4096, 8})); // several in one kernel
    const AttentionShape shape{2, 4096, 4096, 32, 128, true};
    REQUIRE(bf16.time(shape));
    CHECK(bf16.time(shape)->count() == doctest::Approx(2000e-6));
    CHECK_FALSE(bf16.time(AttentionShape{2, 4096, 4096, 32, 128, false}));
    CHECK_FALSE(bf16.time(AttentionShape{2, 1024, 4096, 32, 128, true})); // context parallel
}

TEST_CASE("a step takes its operators from the table, and the log says which") {
    const OperatorTable table = table_of(header + rows);
    const Catalogue gpus = builtin_catalogue();
    Cluster cluster = make_cluster(*gpus.find("H100"), 8, ByteRate{400e9});
    const auto time = [&cluster](ByteVolume size, CommGroup group) {
        return collective_time(Collective::all_reduce, size, group, cluster.tree, {}).count();
    };
    const double formula = time(ByteVolume{1e9}, {8, 1});
    const auto log = std::make_shared<OperatorLog>();
    table.attach_to(cluster, log);
    CHECK(time(ByteVolume{2e6}, {8, 1}) == doctest::Approx(60e-6));
    CHECK(time(ByteVolume{1e9}, {8, 1}) == formula); // beyond the sizes
    CHECK(time(ByteVolume{2e6}, {4, 1}) > 0);        // another group
    REQUIRE(log->entries().size() == 3);
    CHECK(log->entries()
              .at("all-reduce of 2000000 bytes over 8 GPUs")
              .source.starts_with("measured sizes: "));
    CHECK(log->entries().at("all-reduce of 1000000000 bytes over 8 GPUs").source ==
          "formula: the size is beyond those measured");
    CHECK(log->entries().at("all-reduce of 2000000 bytes over 4 GPUs").source ==
          "formula: no collective over this group was measured");
    REQUIRE(cluster.operators != nullptr);
    const MatrixUnit unit{FlopRate{700e12},
                          128,
                          ByteRate{3e12},
                          2,
                          132,
                          &cluster.operators->kernels[static_cast<std::size_t>(Precision::bf16)]};
    const MatrixProduct known{8192, 4096, 4096};
    CHECK(gemm_time(known, unit).count() == doctest::Approx(known.flops().count() / 600e12));
    MatrixUnit formulas = unit;
    formulas.measured = nullptr;
    const MatrixProduct unknown{128, 4096, 4096};
    CHECK(gemm_time(unknown, unit) == gemm_time(unknown, formulas));
    CHECK(log->entries().at("matmul 128 x 4096 x 4096, bf16").source ==
          "formula: no shape within a factor of two was measured");
}

TEST_CASE("rows of one shape or size repeat each other") {
    const OperatorTable table =
        table_of(header + rows + "H100,bf16,8192,4096,4096,,,,,,,,,,,150\n" +
                 "H100,,,,,,,,,,all_reduce,8,1,1000000,200,\n");
    const MeasuredKernels& bf16 =
        table.operators.kernels[static_cast<std::size_t>(Precision::bf16)];
    CHECK(bf16.products.size() == 2);
    CHECK(tflops(bf16, {8192, 4096, 4096}) == doctest::Approx(300));
    const auto& curve = table.collectives.all().at({Collective::all_reduce, 8, 1}).curve;
    CHECK(curve.time(ByteVolume{1e6}).count() == doctest::Approx(100e-6));
}

TEST_CASE("a mistake in a file of operators is reported with line and column") {
    CHECK(error_of(header + "H100,bf61,1,1,1,,,,,,,,,,1,\n")
              .starts_with("2:6: precision: no format"));
    CHECK(error_of(header + "H100,bf16,1,1,,,,,,,,,,,1,\n").starts_with("2:15: "));
    CHECK(error_of(header + "H100,bf16,1,0,1,,,,,,,,,,1,\n").starts_with("2:13: n: is not above"));
    CHECK(error_of(header + "H100,,,,,,,,,,all_bro,8,1,1,1,\n").starts_with("2:15: collective: "));
    CHECK(error_of("gpu,mamf_tflops,best_shape_MxNxK\nH100,700,8192x4096\n")
              .starts_with("2:10: best_shape_MxNxK: is no shape"));
    CHECK(error_of("gpu,mamf_tflops,best_shape_MxNxK\nH100,700,8192x4096x1024\n").empty());
}

TEST_CASE("lookups are tested on rows left out, formulas on all") {
    std::string text = "gpu,precision,m,n,k,tflops\n";
    for (int m = 1024; m <= 8192; m *= 2)
        text += "H100,bf16," + std::to_string(m) + ",4096,4096,600\n";
    const Catalogue gpus = builtin_catalogue();
    const auto checks = check_operators(table_of(text), *gpus.find("H100"));
    REQUIRE(checks.size() == 1);
    CHECK(checks[0].operation == "matmul, bf16");
    CHECK(checks[0].formula.n == 4);
    CHECK(checks[0].look_up.n == 4);
    CHECK(checks[0].look_up.mape == doctest::Approx(0));
    CHECK(checks[0].formula.mape > 0);
    CHECK(checks[0].best.count() == doctest::Approx(600e12));
}

} // namespace bursar::operator_file_test
