// Presets on trace M against the simulators that they imitate, through the command line with a
// scenario file, job for job.

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/golden_rows.hpp"
#include "tests/shared_data.hpp"
#include "tests/tools/program.hpp"
#include "tests/tools/trace_m.hpp"

namespace bursar::test::golden_presets_test {
namespace {

/// Start and end of each job in seconds, by name.
using Times = std::map<std::string, std::pair<std::int64_t, std::int64_t>>;

struct Ran {
    Times times;
    nlohmann::json metrics;
};

/// Submit, wait and JCT are exact in jobs.csv: times of trace M are whole seconds.
Ran run(const std::string& trace, const std::string& format, const std::string& policy) {
    const TemporaryFolder folder;
    const std::string file = folder.write("m.yaml", trace_m_scenario(trace, format, policy));
    const Answer answer = bursar({"run", file, "--format", "json", "--out", folder.file("out")});
    CAPTURE(policy);
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    Ran ran;
    ran.metrics = nlohmann::json::parse(answer.out)["metrics"];
    for (auto& row : read_plain_csv(read_file(folder.file("out/jobs.csv")))) {
        // jobs.csv has the instants as text; waits are numbers.
        ran.times[row["job_id"]] = {std::stoll(row["wait_s"]), std::stoll(row["jct_s"])};
    }
    return ran;
}

std::int64_t whole_seconds(const std::string& text) {
    return static_cast<std::int64_t>(std::llround(std::stod(text)));
}

/// Wait until the first start, and JCT, from another simulator's file.
Times golden_times(const std::filesystem::path& file) {
    Times times;
    for (auto& row : read_plain_csv(read_file(file))) {
        const std::int64_t submit = whole_seconds(row["submit_time"]);
        times[row["job_id"]] = {whole_seconds(row["start_time"]) - submit,
                                whole_seconds(row["end_time"]) - submit};
    }
    return times;
}

struct Row {
    std::string policy;
    std::string file; ///< empty: only the mean is published
    double mean_jct_s;
    double mean_queued_s;     ///< negative: not published
    std::int64_t preemptions; ///< likewise
};

const std::vector<Row> rows{
    {"{preset: tiresias}",
     "tiresias/philly_mix_480__dlas-gpu__count__jobs.csv",
     8143.5625,
     689.5062,
     71},
    {"{preset: tiresias, queue: srtf}",
     "tiresias/philly_mix_480__shortest__count__jobs.csv",
     8342.5438,
     888.4875,
     210},
    {"{preset: tiresias, queue: {name: srtf, by: gpu-time}}", "", 8114.2896, -1, -1},
    {"{preset: tiresias, queue: fifo}",
     "tiresias/philly_mix_480__fjf__count__jobs.csv",
     9280.8271,
     1826.7708,
     0},
    {"{preset: tiresias, queue: fifo, head: block}",
     "tiresias/philly_mix_480__fifo__count__jobs.csv",
     25655.6146,
     18201.5583,
     0},
    {"{preset: helios}", "helios/srtf__consolidate__jobs.csv", 8614.3208, -1, 184},
    {"{preset: helios, capacity: count}", "helios/srtf__random__jobs.csv", 8353.6812, -1, 211},
    {"{preset: helios, queue: sjf}", "helios/sjf__consolidate__jobs.csv", 9147.2708, 1693.2146, 0},
    {"{preset: helios, queue: sjf, capacity: count}",
     "helios/sjf__random__jobs.csv",
     9112.4333,
     1658.3771,
     0},
};

} // namespace

TEST_CASE("golden trace M under the presets, job for job: first start, end, means, preemptions") {
    const auto trace = shared_data("golden/common/philly_mix_480.csv");
    const auto golden = shared_data("golden");
    if (!trace || !golden)
        return;
    for (const Row& row : rows) {
        CAPTURE(row.policy);
        const Ran ran = run(trace->string(), "philly-csv", row.policy);
        CHECK(ran.times.size() == 480);
        if (!row.file.empty())
            CHECK(ran.times == golden_times(*golden / row.file));
        CHECK(std::abs(ran.metrics["jct_s"]["mean"].get<double>() - row.mean_jct_s) < 5.1e-5);
        if (row.mean_queued_s >= 0)
            CHECK(std::abs(ran.metrics["queued_total_s"]["mean"].get<double>() -
                           row.mean_queued_s) < 5.1e-5);
        if (row.preemptions >= 0)
            CHECK(ran.metrics["preemptions"] == row.preemptions);
    }
}

TEST_CASE("golden trace M under Tiresias' Gittins index has the mean JCT of its simulator") {
    const auto trace = shared_data("golden/common/philly_mix_480.csv");
    const auto sizes = shared_data("data/jobs-tiresias/yarn-gput1000.csv");
    if (!trace || !sizes)
        return;
    std::string times;
    for (const std::int64_t gpu_s : read_numbers(*sizes))
        times += std::to_string(gpu_s) + " gpu-s\n";
    const TemporaryFolder folder;
    const std::string file = folder.write("sizes.txt", times);
    const Ran ran = run(trace->string(),
                        "philly-csv",
                        "{preset: tiresias-gittins, queue: {distribution: " + file + "}}");
    CHECK(ran.times.size() == 480);
    CHECK(std::abs(ran.metrics["jct_s"]["mean"].get<double>() - 8744.1021) < 5.1e-5);
}

TEST_CASE("golden trace M under EASY: all 480 starts of an independent reference") {
    const auto trace = shared_data("golden/common/philly_mix_480.csv");
    const auto starts = shared_data("golden/common/own_reference_easy_starts.csv");
    if (!trace || !starts)
        return;
    const Ran ran =
        run(trace->string(), "philly-csv", "{queue: fifo, capacity: count, backfill: easy}");
    std::map<std::string, std::int64_t> submit;
    for (auto& row : read_plain_csv(read_file(*trace)))
        submit[row["job_id"]] = whole_seconds(row["submit"]);
    std::map<std::string, std::int64_t> own;
    for (const auto& [job, times] : ran.times)
        own[job] = submit[job] + times.first;
    std::map<std::string, std::int64_t> reference;
    for (auto& row : read_plain_csv(read_file(*starts)))
        reference[row["job_id"]] = whole_seconds(row["start"]);
    CHECK(reference.size() == 480);
    CHECK(own == reference);
    CHECK(std::abs(ran.metrics["jct_s"]["mean"].get<double>() - 10465.4604) < 5.1e-5);
    CHECK(ran.metrics["makespan_s"] == 273'391);
}

TEST_CASE("golden trace M in Helios' own format gives Helios' answer") {
    const auto golden = shared_data("golden/helios");
    if (!golden)
        return;
    const Ran ran = run((*golden / "cluster_log.csv").string(), "helios-csv", "{preset: helios}");
    std::multimap<std::int64_t, std::int64_t> own; // names differ: j0 for 0
    for (const auto& [job, times] : ran.times)
        own.emplace(times.second, times.first);
    std::multimap<std::int64_t, std::int64_t> other;
    for (const auto& [job, times] : golden_times(*golden / "srtf__consolidate__jobs.csv"))
        other.emplace(times.second, times.first);
    const auto sums = [](const auto& times) {
        std::map<std::int64_t, std::int64_t> by_jct;
        for (const auto& [jct, wait] : times)
            by_jct[jct] += wait;
        return by_jct;
    };
    CHECK(own.size() == 480);
    CHECK(sums(own) == sums(other));
}

} // namespace bursar::test::golden_presets_test
