#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>
#include <unistd.h>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/throughputs/pollux_profiles.hpp"

#include "tests/shared_data.hpp"

namespace bursar::pollux_profiles_test {
namespace {

namespace fs = std::filesystem;

const std::string placements = "placement,local_bsz,step_time,sync_time\n"
                               "1,4,1.0,0.0\n"
                               "1,8,2.0,0.0\n"
                               "11,4,9.0,8.0\n" // not on the fewest nodes
                               "2,4,1.5,0.5\n"
                               "2,8,3.0,0.5\n"
                               "24,2,2.0,1.0\n";
const std::string scalability = "num_nodes,num_replicas,local_bsz,step_time,sync_time\n"
                                "2,8,2,3.0,1.0\n"
                                "6,8,2,9.0,9.0\n"; // likewise
// Three epochs and two: the third is not run.
const std::string of_4 = "progress,iteration,metric,grad_sqr,grad_var\n"
                         "10,10,0,1,4\n"
                         "30,30,0,1,4\n"
                         "60,60,0,1,4\n";
const std::string of_16 = "progress,iteration,metric,grad_sqr,grad_var\n"
                          "12,4,0,1,4\n"
                          "30,9,0,3,4\n";

/// A folder of profiles that is removed by the destructor.
class Profiles {
  public:
    Profiles()
        : folder_{fs::temp_directory_path() / ("bursar-profiles-" + std::to_string(::getpid()))} {
        fs::create_directories(folder_ / "lm");
        write("placements.csv", placements);
        write("scalability.csv", scalability);
        write("validation-4.csv", of_4);
        write("validation-16.csv", of_16);
    }
    Profiles(const Profiles&) = delete;
    Profiles& operator=(const Profiles&) = delete;
    ~Profiles() { fs::remove_all(folder_); }

    void write(const std::string& name, const std::string& text) const {
        std::ofstream{folder_ / "lm" / name} << text;
    }
    [[nodiscard]] ThroughputTable read(const LocalBatches& largest = {},
                                       const GpuNames& names = {}) const {
        return read_pollux_profiles(folder_.string(), builtin_catalogue(), names, largest);
    }
    /// The message, without the folder.
    [[nodiscard]] std::string mistake_of(const LocalBatches& largest = {}) const {
        try {
            static_cast<void>(read(largest));
        } catch (const ScenarioError& error) {
            const std::string said = error.what();
            return said.substr(folder_.string().size());
        }
        return {};
    }

  private:
    fs::path folder_;
};

double run_s(const ThroughputTable& table, const std::string& type, std::uint32_t gpus) {
    return 1 / table.steps_per_s(type, "T4", gpus).value();
}

} // namespace

TEST_CASE("a profile's run time is its steps at the gain of each epoch, by hand") {
    const Profiles profiles;
    const ThroughputTable table = profiles.read();
    // Batch 4, the least one: 30 steps of progress 1.
    CHECK(run_s(table, "lm 4", 1) == doctest::Approx(30));
    CHECK_FALSE(table.steps_per_s("lm 4", "T4", 2)); // 2 a GPU: below what was measured
    // Batch 16: gains (4 + 1) / (4/4 + 1) = 2.5 and (4 + 3) / (4/4 + 3) = 1.75.
    const double steps = 10 / 2.5 + 20 / 1.75;
    CHECK(run_s(table, "lm 16", 2) == doctest::Approx(3 * steps));
    CHECK(run_s(table, "lm 16", 1) == doctest::Approx(4 * steps)); // two passes of 8
    CHECK(run_s(table, "lm 16", 6) == doctest::Approx(2 * steps)); // 3 a GPU, 16 / 6 at most
    CHECK(run_s(table, "lm 16", 8) == doctest::Approx(3 * steps));
    CHECK_FALSE(table.steps_per_s("lm 16", "T4", 4));
    CHECK(run_s(table, "lm best", 1) == doctest::Approx(30)); // batch 4, in place of 61.7 s
    CHECK(run_s(table, "lm best", 2) == doctest::Approx(3 * steps));
    CHECK_FALSE(table.steps_per_s("lm best", "T4", 4));
    // Two passes of 4: the first has no synchronisation.
    CHECK(run_s(profiles.read({{"lm", 4}}), "lm 16", 2) == doctest::Approx(2.5 * steps));
    CHECK(profiles.read({}, {{"T4", "A10"}}).steps_per_s("lm 4", "A10", 1));
}

TEST_CASE("mistakes in profiles have their places") {
    const Profiles profiles;
    CHECK(profiles.mistake_of({{"lmm", 4}}).starts_with(": has no application \"lmm\""));
    profiles.write("placements.csv", "placement,local_bsz,step_time,sync_time\n1,4,x,0\n");
    CHECK(profiles.mistake_of() == "/lm/placements.csv:2:5: step_time: \"x\" is not a number");
    profiles.write("placements.csv", "placement,local_bsz,step_time,sync_time\n1,4,-1,0\n");
    CHECK(profiles.mistake_of() == "/lm/placements.csv:2:5: step_time: \"-1\" is out of range");
    profiles.write("placements.csv", "placement,step_time\n");
    CHECK(profiles.mistake_of().starts_with("/lm/placements.csv:1: local_bsz: no such column"));
    CHECK_THROWS_AS(
        static_cast<void>(read_pollux_profiles("/no/such", builtin_catalogue(), {}, {})),
        ScenarioError);
}

TEST_CASE("the published profiles: every job of Pollux' workload 6 was measured") {
    const auto folder = test::shared_data("data/jobs-sia/pollux_profiles");
    if (!folder)
        return;
    const ThroughputTable table =
        read_pollux_profiles(folder->string(), builtin_catalogue(), {}, {{"yolov3", 8}});
    // Against a separate reading of the same files in Python, which agrees with the JCT that the
    // published simulator has for each job that waits for none.
    CHECK(run_s(table, "yolov3 64", 4) == doctest::Approx(14100.018896).epsilon(1e-6));
    CHECK(run_s(table, "cifar10 2048", 6) == doctest::Approx(898.562305).epsilon(1e-6));
    CHECK(run_s(table, "imagenet 6400", 48) == doctest::Approx(19763.524383).epsilon(1e-6));
}

} // namespace bursar::pollux_profiles_test
