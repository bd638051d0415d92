// Other simulators' answers on the same input, through the command line.

#include <cmath>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/shared_data.hpp"
#include "tests/tools/program.hpp"
#include "tests/tools/trace_m.hpp"

namespace bursar::test::golden_test {
namespace {

struct Case {
    const char* policy;
    double mean_jct_s;
    double mean_queued_s; ///< in file order for ties
    std::int64_t makespan_s;
};

const std::vector<Case> cases{
    {"{queue: fifo, head: block, capacity: count}", 25655.6146, 18201.5583, 276'696},
    {"{queue: fifo, head: block, placement: consolidated}", 29362.8167, 21908.7604, 293'056},
    {"{queue: fifo, head: skip, capacity: count}", 9280.8271, 1826.7708, 247'799},
    {"{queue: sjf, head: block, capacity: count}", 9112.4333, 1658.3771, 277'260},
    {"{queue: sjf, head: block, placement: consolidated}", 9147.2708, 1693.2146, 280'029},
};

/// JCT in seconds by job name, from jobs.csv of a run.
std::map<std::string, std::int64_t>
jct_of(const std::string& trace, const std::string& format, const std::string& policy) {
    const TemporaryFolder folder;
    const std::string file = folder.write("m.yaml", trace_m_scenario(trace, format, policy));
    const Answer answer = bursar({"run", file, "--out", folder.file("out")});
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    std::map<std::string, std::int64_t> jct;
    for (auto& row : read_plain_csv(read_file(folder.file("out/jobs.csv")))) {
        jct[row["job_id"]] = std::stoll(row["jct_s"]);
    }
    return jct;
}

std::map<std::string, std::int64_t> golden_jct(const std::filesystem::path& file,
                                               const std::string& column) {
    std::map<std::string, std::int64_t> jct;
    for (auto& row : read_plain_csv(read_file(file))) {
        jct[row["job_id"]] = static_cast<std::int64_t>(std::llround(std::stod(row[column])));
    }
    return jct;
}

/// The trace with rows of equal submit time in the order of Helios' unstable sort.
std::string in_helios_order(const std::string& csv) {
    std::istringstream in{csv};
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    // Line n + 1 is job n. Helios took 256, 254, 255 and 360, 359.
    std::swap(lines[255], lines[257]); // 256 255 254
    std::swap(lines[256], lines[257]); // 256 254 255
    std::swap(lines[360], lines[361]);
    std::string out;
    for (const std::string& line : lines)
        out += line + "\n";
    return out;
}

} // namespace

TEST_CASE("golden trace M: mean JCT, mean queued time and makespan") {
    const auto trace = shared_data("golden/common/philly_mix_480.csv");
    if (!trace)
        return;
    const TemporaryFolder folder;
    for (const Case& expected : cases) {
        CAPTURE(expected.policy);
        const std::string file = folder.write(
            "m.yaml", trace_m_scenario(trace->string(), "philly-csv", expected.policy));
        const Answer answer = bursar({"run", file, "--format", "json"});
        REQUIRE(answer.code == 0);
        const auto metrics = nlohmann::json::parse(answer.out)["metrics"];
        CHECK(std::abs(metrics["jct_s"]["mean"].get<double>() - expected.mean_jct_s) < 5.1e-5);
        CHECK(std::abs(metrics["queued_total_s"]["mean"].get<double>() - expected.mean_queued_s) <
              5.1e-5);
        CHECK(metrics["makespan_s"] == expected.makespan_s);
        CHECK(metrics["jobs_finished"] == 480);
    }
}

TEST_CASE("golden trace M, job for job, in the formats of three simulators") {
    const auto common = shared_data("golden/common/philly_mix_480.csv");
    const auto golden = shared_data("golden");
    if (!common || !golden)
        return;
    const std::string philly = common->string();
    const std::string helios = (*golden / "helios/cluster_log.csv").string();
    const std::string swf = (*golden / "accasim/philly_mix_480.swf").string();

    const auto fifo = jct_of(philly, "philly-csv", cases[0].policy);
    CHECK(fifo.size() == 480);
    CHECK(fifo == golden_jct(*golden / "tiresias/philly_mix_480__fifo__count__jobs.csv", "JCT"));
    CHECK(fifo == golden_jct(*golden / "accasim/fifo__ff__jobs.csv", "jct"));
    CHECK(jct_of(philly, "philly-csv", cases[2].policy) ==
          golden_jct(*golden / "tiresias/philly_mix_480__fjf__count__jobs.csv", "JCT"));
    const auto sjf = jct_of(philly, "philly-csv", cases[3].policy);
    CHECK(sjf == golden_jct(*golden / "accasim/sjf__ff__jobs.csv", "jct"));
    CHECK(sjf == golden_jct(*golden / "helios/sjf__random__jobs.csv", "jct"));
    CHECK(jct_of(philly, "philly-csv", cases[4].policy) ==
          golden_jct(*golden / "helios/sjf__consolidate__jobs.csv", "jct"));

    // The same jobs from the other formats: names differ (j0; 1 for 0), times must not.
    for (const auto& [trace, format] : {std::pair{helios, "helios-csv"}, std::pair{swf, "swf"}}) {
        CAPTURE(format);
        std::multimap<std::int64_t, int> own;
        std::multimap<std::int64_t, int> other;
        for (const auto& [name, jct] : fifo)
            own.emplace(jct, 0);
        for (const auto& [name, jct] : jct_of(trace, format, cases[0].policy))
            other.emplace(jct, 0);
        CHECK(own == other);
    }
}

TEST_CASE("golden trace M, consolidated, job for job in Helios' order of ties") {
    const auto common = shared_data("golden/common/philly_mix_480.csv");
    const auto golden = shared_data("golden/helios");
    if (!common || !golden)
        return;
    const TemporaryFolder folder;
    const std::string trace = folder.write("helios_order.csv", in_helios_order(read_file(*common)));
    CHECK(jct_of(trace, "philly-csv", cases[1].policy) ==
          golden_jct(*golden / "fifo__consolidate__jobs.csv", "jct"));
    CHECK(jct_of(trace, "philly-csv", cases[0].policy) ==
          golden_jct(*golden / "fifo__random__jobs.csv", "jct"));
}

} // namespace bursar::test::golden_test
