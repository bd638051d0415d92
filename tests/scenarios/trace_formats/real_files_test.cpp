#include <array>
#include <memory>
#include <optional>
#include <string>

#include <doctest/doctest.h>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/throughputs/throughput_table.hpp"
#include "scenarios/trace_formats/read_trace.hpp"

#include "tests/scenarios/traces/read_text.hpp"
#include "tests/shared_data.hpp"

// Every public file of a supported format, as it was published. The expected figures come from the
// same files, by a short script with Python's csv module.
namespace bursar::real_files_test {
namespace {

struct Expected {
    const char* file;
    const char* format;
    std::size_t rows;
    std::int64_t submit_sum_s; // from the earliest submit
    std::int64_t duration_sum_s;
    std::int64_t gpus;
    SlotTime gpu_time;
    std::array<std::int64_t, 3> first; // submit s, duration s, GPUs
    std::array<std::int64_t, 3> last;
    const char* last_name;
};

using test::gpu_seconds;

// GPU time of the openb lists is in thousandths of a GPU.
constexpr SlotTime milli_gpu_seconds(std::int64_t n) {
    return slot_time(n, second);
}

constexpr std::array files{
    Expected{"data/jobs-philly/philly.csv.gz",
             "philly-csv",
             68'063,
             266'155'469'760,
             886'065'090,
             85'549,
             gpu_seconds(2'904'380'147),
             {3'011'474, 66, 1},
             {5'605'349, 1'896, 1},
             ""},
    Expected{"data/jobs-helios-venus/venus_gpu_jobs.csv.gz",
             "arrival-csv",
             76'866,
             496'411'602'263,
             728'818'828,
             507'738,
             gpu_seconds(5'535'881'859),
             {0, 172'800, 32},
             {11'663'766, 1, 1},
             "672101#146554"},
    Expected{"data/jobs-alibaba-pai2020/pai_gpu_tasks_sample.csv.gz",
             "arrival-csv",
             42'409,
             93'474'513'561,
             223'265'360,
             215'722,
             gpu_seconds(1'762'298'104),
             {0, 167'731, 8},
             {4'130'013, 2'831, 1},
             "ali-e1cc4e6e86ad68572c4b5260-evaluator#1035356"},
    Expected{"data/jobs-alibaba-openb2023/openb_pod_list_default.csv.gz",
             "openb-csv",
             7'064,
             81'674'877'923,
             191'968'828,
             7'433,
             milli_gpu_seconds(185'761'703'900),
             {0, 12'537'496, 1},
             {12'901'761, 31, 1},
             "openb-pod-8151"},
    Expected{"data/jobs-alibaba-openb2023/openb_pod_list_cpu050.csv.gz",
             "openb-csv",
             7'064,
             81'674'877'923,
             191'968'828,
             7'433,
             milli_gpu_seconds(185'761'703'900),
             {0, 12'537'496, 1},
             {12'901'761, 31, 1},
             "openb-pod-7438"},
    Expected{"data/jobs-alibaba-openb2023/openb_pod_list_gpushare40.csv.gz",
             "openb-csv",
             7'064,
             81'831'575'168,
             171'518'305,
             7'382,
             milli_gpu_seconds(153'123'851'980),
             {10'647'871, 4'388, 1},
             {12'260'049, 469, 1},
             "openb-pod-8151"},
    Expected{"data/jobs-alibaba-openb2023/openb_pod_list_gpuspec33.csv.gz",
             "openb-csv",
             7'064,
             81'674'877'923,
             191'968'828,
             7'433,
             milli_gpu_seconds(185'761'703'900),
             {0, 12'537'496, 1},
             {12'901'761, 31, 1},
             "openb-pod-8151"},
    Expected{"golden/fgd/small_pods.csv",
             "openb-csv",
             674,
             6'752'061'683,
             146'113'450,
             703,
             milli_gpu_seconds(131'764'891'180),
             {0, 12'537'496, 1},
             {10'290'217, 2'612'743, 1},
             ""},
    Expected{"data/jobs-tiresias/60_job.csv",
             "tiresias-csv",
             60,
             52'710,
             10'705,
             170,
             gpu_seconds(26'624),
             {0, 164, 1},
             {1'779, 122, 1},
             "59"},
    Expected{"data/jobs-swf/accasim_ricc_sample.swf",
             "swf",
             25,
             79'390'379,
             253'161,
             460,
             gpu_seconds(6'851'022),
             {0, 61, 16},
             {3'329'894, 4'071, 20},
             "5687"},
    Expected{"data/jobs-swf/lublin_256.swf.gz",
             "swf",
             10'000,
             39'730'617'652,
             48'627'667,
             221'010,
             gpu_seconds(2'092'781'168),
             {0, 12'072, 16},
             {7'706'607, 13'929, 3},
             "10000"},
    Expected{"data/jobs-elasticflow/elasticVpollux_e.csv",
             "tiresias-csv",
             195,
             14'031'071,
             21'791'322,
             572,
             gpu_seconds(33'457'859),
             {0, 5'644, 1},
             {172'045, 707'549, 1},
             "194"},
    Expected{"data/jobs-elasticflow/philly_103959.csv",
             "tiresias-csv",
             876,
             3'554'454'214,
             49'556'598,
             1'899,
             gpu_seconds(154'137'879),
             {0, 976'570, 1},
             {7'910'536, 1'710, 1},
             "875"},
    Expected{"data/jobs-shockwave/"
             "120_0.2_5_100_40_25_0,0.5,0.5_0.6,0.3,0.09,0.01_multigpu_dynamic.trace.gz",
             "shockwave",
             120,
             314'020,
             496'241,
             164,
             gpu_seconds(711'371),
             {0, 1'418, 1},
             {5'011, 895, 1},
             "ResNet-50 (batch size 32)"},
    Expected{"data/jobs-alibaba-spotgpu2026/job_info_df.sample.csv",
             "alibaba-spot-csv",
             4,
             19'179'326,
             18'775'176,
             112,
             gpu_seconds(26'060'850),
             {0, 2'764'799, 1},
             {9'589'663, 71'718, 94},
             "437261"},
    Expected{"data/jobs-alibaba-spotgpu2026/derived/longest_jobs_top200.csv",
             "alibaba-spot-csv",
             200,
             0,
             3'179'519'800,
             230,
             milli_gpu_seconds(3'626'401'307'890),
             {0, 15'897'599, 1},
             {0, 15'897'599, 1},
             "13512"},
    Expected{"golden/common/philly_mix_480.csv",
             "philly-csv",
             480,
             35'865'712,
             3'577'947,
             1'149,
             gpu_seconds(22'361'095),
             {0, 108, 1},
             {151'507, 101, 1},
             "479"},
    Expected{"golden/helios/cluster_log.csv",
             "helios-csv",
             480,
             35'865'712,
             3'577'947,
             1'149,
             gpu_seconds(22'361'095),
             {0, 108, 1},
             {151'507, 101, 1},
             "j479"},
    Expected{"golden/accasim/philly_mix_480.swf",
             "swf",
             480,
             35'865'712,
             3'577'947,
             1'149,
             gpu_seconds(22'361'095),
             {0, 108, 1},
             {151'507, 101, 1},
             "480"},
};

std::int64_t sum(const auto& column) {
    std::int64_t total = 0;
    for (const auto value : column)
        total += value;
    return total;
}

std::array<std::int64_t, 3> row_of(const Trace& trace, std::size_t row) {
    CHECK(trace.submit_ms[row] % 1000 == 0);
    return {trace.submit_ms[row] / 1000, trace.duration_ms[row] / 1000, trace.gpus[row]};
}

std::optional<Trace> read_shared(const char* relative) {
    const auto path = test::shared_data(relative);
    if (!path)
        return std::nullopt;
    TraceOptions options = test::options_for(path->string());
    options.select.gpus = CountRange{1, {}}; // openb lists have pods without GPUs
    return read_trace(options);
}

} // namespace

TEST_CASE("every published file is recognised and read to the last row") {
    for (const Expected& expected : files) {
        CAPTURE(expected.file);
        const std::optional<Trace> trace = read_shared(expected.file);
        if (!trace)
            continue;
        CHECK(trace->format == expected.format);
        REQUIRE(trace->size() == expected.rows);
        CHECK(trace->num_bad_rows == 0);
        CHECK(sum(trace->submit_ms) == 1000 * expected.submit_sum_s);
        CHECK(sum(trace->duration_ms) == 1000 * expected.duration_sum_s);
        CHECK(sum(trace->gpus) == expected.gpus);
        CHECK((test::gpu_time(*trace) == expected.gpu_time));
        CHECK(row_of(*trace, 0) == expected.first);
        CHECK(row_of(*trace, trace->size() - 1) == expected.last);
        if (*expected.last_name != '\0')
            CHECK(trace->name(trace->size() - 1) == expected.last_name);
    }
}

TEST_CASE("Philly: unsorted, dated, 14 virtual clusters, no names, no states") {
    const std::optional<Trace> trace = read_shared("data/jobs-philly/philly.csv.gz");
    if (!trace)
        return;
    CHECK_FALSE(std::ranges::is_sorted(trace->submit_ms));
    CHECK(trace->zero_utc_ms == 1'504'521'041'000); // 2017-09-04 10:30:41
    CHECK(trace->tenants.size() == 14);
    CHECK(trace->tenants[0] == "11cb48");
    CHECK(std::ranges::count(trace->tenant, 0) == 11'063);
    CHECK(trace->name_end.empty());
    CHECK(trace->end.empty());
    CHECK(trace->line.front() == 2);
    CHECK(trace->line.back() == 68'064);
}

TEST_CASE("openb: pods without GPUs are not selected, shares and types are kept") {
    const std::optional<Trace> trace =
        read_shared("data/jobs-alibaba-openb2023/openb_pod_list_gpuspec33.csv.gz");
    if (!trace)
        return;
    CHECK(trace->num_rows_read == 8'152);
    CHECK(trace->num_not_selected == 1'088);
    CHECK(std::ranges::count_if(trace->gpu_milli, [](int m) { return m < 1000; }) == 3'078);
    CHECK(trace->gpu_type_sets.size() == 17);
    CHECK(trace->gpu_type_sets[0].empty());
    CHECK(std::ranges::count(trace->gpu_types, 0) == 4'676);
    const std::vector<std::string> both{"V100M16", "V100M32"};
    const auto set = std::ranges::find(trace->gpu_type_sets, both) - trace->gpu_type_sets.begin();
    CHECK(std::ranges::count(trace->gpu_types, set) == 141);
    CHECK_FALSE(trace->zero_utc_ms);
}

TEST_CASE("openb: lists of five columns have no times, and are refused with that reason") {
    const auto path =
        test::shared_data("data/jobs-alibaba-openb2023/openb_pod_list_multigpu20.csv.gz");
    if (!path)
        return;
    try {
        read_trace(test::options_for(path->string()));
        FAIL("not refused");
    } catch (const ScenarioError& error) {
        CHECK(error.findings()[0].path == "creation_time");
        CHECK(error.findings()[0].suggestion.starts_with("the multigpu lists have no times"));
    }
}

TEST_CASE("one trace in three formats gives the same jobs") {
    const auto philly = read_shared("golden/common/philly_mix_480.csv");
    const auto helios = read_shared("golden/helios/cluster_log.csv");
    const auto swf = read_shared("golden/accasim/philly_mix_480.swf");
    if (!philly || !helios || !swf)
        return;
    for (const auto& other : {helios, swf}) {
        CHECK(other->submit_ms == philly->submit_ms);
        CHECK(other->duration_ms == philly->duration_ms);
        CHECK(other->gpus == philly->gpus);
        CHECK(other->zero_utc_ms == philly->zero_utc_ms);
    }
    CHECK(philly->zero_utc_ms == 1'506'902'515'000);
    CHECK(helios->tenants == std::vector<std::string>{"vcmix"});
    CHECK(swf->tenants == std::vector<std::string>{"user 1"});
    CHECK(std::ranges::count(helios->end, JobEnd::completed) == 480);
}

TEST_CASE("Helios: the three published rows of the original twelve columns") {
    const auto trace = read_shared("data/jobs-format-samples/helios_cluster_log.sample.csv");
    if (!trace)
        return;
    CHECK(trace->format == "helios-csv");
    CHECK(trace->submit_ms == std::vector<std::int64_t>{0, 26'000, 27'000});
    CHECK(trace->duration_ms == std::vector<std::int64_t>{36'848'000, 249'000, 675'233'000});
    CHECK(trace->gpus == std::vector<std::uint32_t>{1, 4, 1});
    CHECK(trace->end == std::vector{JobEnd::completed, JobEnd::failed, JobEnd::cancelled});
    CHECK(trace->tenants == std::vector<std::string>{"vcJkd", "vchbv", "vcpDC"});
    CHECK(trace->name(2) == "1425513");
}

TEST_CASE("Tiresias: the other column set of its test file, last line without line end") {
    const auto trace = read_shared("data/jobs-tiresias/tf_job.csv");
    if (!trace)
        return;
    CHECK(trace->format == "tiresias-csv");
    CHECK(trace->gpus == std::vector<std::uint32_t>{12, 12});
    CHECK(trace->duration_ms == std::vector<std::int64_t>{20'000, 20'000});
}

TEST_CASE("SWF: users are tenants if they are known") {
    const auto ricc = read_shared("data/jobs-swf/accasim_ricc_sample.swf");
    const auto lublin = read_shared("data/jobs-swf/lublin_256.swf.gz");
    if (!ricc || !lublin)
        return;
    CHECK(ricc->tenants ==
          std::vector<std::string>{"user 6", "user 1", "user 4", "user 22", "user 5"});
    CHECK(std::ranges::count(ricc->tenant, 1) == 10);
    CHECK(lublin->tenants == std::vector<std::string>{"unknown"});
    CHECK_FALSE(lublin->zero_utc_ms);
}

TEST_CASE("Gavel: run times of both generations are steps at the measured speeds") {
    const auto measured = test::shared_data("data/jobs-gavel/simulation_throughputs.json.gz");
    const auto ten = test::shared_data("golden/gavel/max_min_fairness.trace");
    const auto seven = test::shared_data("data/jobs-gavel/msr_seed0/7f04ca.trace.gz");
    if (!measured || !ten || !seven)
        return;
    TraceOptions options = test::options_for(ten->string());
    options.steps = {.table = std::make_shared<const ThroughputTable>(
                         read_gavel_throughputs(measured->string(), builtin_catalogue(), {})),
                     .gpu = "V100-SXM2-16GB"};
    const Trace golden = read_trace(options);
    CHECK(golden.format == "gavel");
    CHECK(golden.size() == 96);
    CHECK(golden.num_bad_rows == 0);
    CHECK(golden.name(0) == "ResNet-18 (batch size 128)");
    CHECK(golden.gpus[0] == 4);
    CHECK(sum(golden.gpus) == 169);
    CHECK(sum(golden.duration_ms) == 814'902'502);
    options.file = seven->string();
    options.on_bad_row = OnBadRow::skip;
    const Trace cluster = read_trace(options);
    CHECK(cluster.num_rows_read == 972);
    CHECK(cluster.num_bad_rows == 183); // of odd numbers of GPUs, which were not measured
    CHECK(sum(cluster.duration_ms) == 315'769'767'522);
    options.steps.gpu = "A100-SXM4-80GB";
    CHECK_THROWS_AS(static_cast<void>(read_trace(options)), ScenarioError);
}

TEST_CASE("files without job lists are not read as one") {
    for (const char* file : {"data/jobs-tiresias/n1g4.csv",
                             "data/jobs-tiresias/yarn-gput1000.csv",
                             "data/jobs-alibaba-openb2023/openb_node_list_gpu_node.csv.gz",
                             "data/jobs-alibaba-pai2020/pai_machine_spec.csv.gz",
                             "data/jobs-format-samples/acme_trace_seren.sample.csv",
                             "data/jobs-philly/philly_multigpu_attempts.json.gz"}) {
        CAPTURE(file);
        const auto path = test::shared_data(file);
        if (!path)
            continue;
        try {
            read_trace(test::options_for(path->string()));
            FAIL_CHECK("not refused");
        } catch (const ScenarioError& error) {
            CHECK(error.findings()[0].problem.starts_with("not recognised"));
        }
    }
}

} // namespace bursar::real_files_test
