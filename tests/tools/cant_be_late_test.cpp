#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "scenarios/market/availability/read_availability.hpp"

#include "tests/shared_data.hpp"
#include "tests/tools/program.hpp"

// Savings of spot capacity for a job of 48 h with a deadline, on the availability of one V100 in
// seven zones (Wu et al. 2024, NSDI): spot at 0.318 of the on-demand price, 0.2 h for a restart, a
// start every 6 h.
namespace bursar::test::cant_be_late_test {
namespace {

using Row = std::map<std::string, std::string>;

constexpr double on_demand = 3.06;
constexpr double spot = 0.318 * on_demand;
constexpr std::int64_t work_s = 48 * 3600;
constexpr std::int64_t restart_s = 720;
constexpr std::int64_t every_s = 6 * 3600;

struct Outcome {
    double cost{}; ///< USD
    double jct_s{};
};

/// One job of 48 h every 6 h on the capacity of a file. Work is saved every second at no cost, so a
/// reclaim costs one restart only.
std::vector<Outcome>
runs(const std::string& file, std::int64_t deadline_h, const char* pace, std::size_t starts) {
    const TemporaryFolder folder;
    const std::string scenario = fmt::format(R"(
bursar: 1
workload:
  jobs: [{{name: job, gpus: 1, duration: 48 h, count: {1}, every: 6 h}}]
  classes:
    - {{deadline: {2} h, restart: 0.2 h, checkpoint: {{every: 1 s, save: 0 s}}}}
fleet:
  - {{pool: spot, purchase: spot, gpu: V100, nodes: 0..{1}, gpus_per_node: 1, boot: 0 s,
     idle_timeout: 0 s, price: 0.97308 USD/gpu-h, availability: {{file: {0}}}}}
  - {{pool: demand, purchase: on_demand, gpu: V100, nodes: 0..{1}, gpus_per_node: 1, boot: 0 s,
     idle_timeout: 0 s, price: 3.06 USD/gpu-h}}
policy: {{head: skip, broker: {{name: spot-with-fallback, pace: {3}}}}}
)",
                                             file,
                                             starts,
                                             deadline_h,
                                             pace);
    const Answer answer =
        bursar({"run", folder.write("late.yaml", scenario), "--out", folder.file("out")});
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    std::vector<std::pair<double, Outcome>> jobs;
    for (const Row& job : read_plain_csv(read_file(folder.file("out/jobs.csv")))) {
        REQUIRE(job.at("final_state") == "completed");
        jobs.push_back({std::stod(job.at("submit")),
                        {std::stod(job.at("cost_usd")), std::stod(job.at("jct_s"))}});
    }
    std::ranges::stable_sort(jobs, {}, [](const auto& job) { return job.first; });
    std::vector<Outcome> outcomes;
    for (const auto& [submit, outcome] : jobs)
        outcomes.push_back(outcome);
    return outcomes;
}

double saving(const Outcome& outcome) {
    return 1 - outcome.cost / (48 * on_demand);
}

double mean_saving(const std::vector<Outcome>& outcomes) {
    double sum = 0;
    for (const Outcome& outcome : outcomes)
        sum += saving(outcome);
    return sum / static_cast<double>(outcomes.size());
}

/// One of the seven files.
struct Zone {
    std::string name;
    std::string file;
    SupplySeries supply;

    [[nodiscard]] double availability() const {
        return static_cast<double>(supply.node_ms()) / static_cast<double>(supply.length().count());
    }
};

std::vector<Zone> zones() {
    std::vector<Zone> found;
    const auto folder = shared_data("data/spot-skypilot/availability/1-node/aws-02-15-2023");
    if (!folder)
        return found;
    for (const auto& entry : std::filesystem::directory_iterator{*folder}) {
        AvailabilityOptions options;
        options.file = entry.path().string();
        found.push_back({entry.path().filename().string().substr(0, 10),
                         options.file,
                         read_availability(options).supply});
    }
    std::ranges::sort(found, {}, &Zone::file);
    return found;
}

std::size_t num_starts(const Zone& zone, std::int64_t longest_h) {
    return static_cast<std::size_t>(
        (zone.supply.end().count() / 1000 - longest_h * 3600) / every_s + 1);
}

std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<double> out;
    for (const double value : values)
        out.push_back(static_cast<double>(
            std::ranges::count_if(values, [&](double other) { return other < value; })));
    return out;
}

/// Of values without ties.
double spearman(const std::vector<double>& a, const std::vector<double>& b) {
    const std::vector<double> of_a = ranks(a);
    const std::vector<double> of_b = ranks(b);
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += (of_a[i] - of_b[i]) * (of_a[i] - of_b[i]);
    const auto n = static_cast<double>(a.size());
    return 1 - 6 * sum / (n * (n * n - 1));
}

/// By second, whether a node is available.
std::vector<bool> seconds_up(const Zone& zone) {
    std::vector<bool> up(static_cast<std::size_t>(zone.supply.end().count() / 1000));
    const auto steps = zone.supply.steps();
    for (std::size_t i = 0; i < steps.size(); ++i)
        for (std::int64_t s = steps[i].time_ms / 1000;
             s < (i + 1 < steps.size() ? steps[i + 1].time_ms : zone.supply.end().count()) / 1000;
             ++s)
            up[static_cast<std::size_t>(s)] = steps[i].nodes > 0;
    return up;
}

/// By second, the cost of a job that starts then.
double cost_by_hand(const std::vector<bool>& up, std::int64_t start_s, std::int64_t deadline_h) {
    const std::int64_t end_s = start_s + deadline_h * 3600;
    std::int64_t left = work_s;
    std::int64_t restart = 0;      // of the next attempt
    std::int64_t restart_left = 0; // of this one
    bool on_spot = false;
    bool fell_back = false;
    std::int64_t spot_s = 0;
    std::int64_t demand_s = 0;
    for (std::int64_t now = start_s; left > 0; ++now) {
        const bool is_up = up[static_cast<std::size_t>(now)];
        on_spot = on_spot && is_up;
        // Its restart, that of one more attempt, and the second since the last save.
        if (!on_spot && !fell_back && end_s - now <= left + restart + restart_s + 1) {
            fell_back = true;
            restart_left = restart;
        }
        if (!on_spot && !fell_back && is_up) {
            on_spot = true;
            restart_left = std::exchange(restart, restart_s);
        }
        if (!on_spot && !fell_back)
            continue;
        (on_spot ? spot_s : demand_s) += 1;
        (restart_left > 0 ? restart_left : left) -= 1;
    }
    return (static_cast<double>(spot_s) * spot + static_cast<double>(demand_s) * on_demand) / 3600;
}

} // namespace

TEST_CASE("what spot saves a job with a deadline, by the availability of seven zones") {
    const std::vector<Zone> all = zones();
    if (all.empty())
        return;
    REQUIRE(all.size() == 7);
    std::string table = "\nmean saving, %      available";
    for (const char* pace : {"none", "uniform"})
        for (const int deadline : {52, 70, 92})
            table += fmt::format("  {} {} h", pace, deadline);
    std::vector<double> available;
    std::map<std::pair<std::string, int>, std::vector<double>> means;
    double most = 0;
    std::map<std::string, double> least; // by pace
    for (const Zone& zone : all) {
        available.push_back(zone.availability());
        table += fmt::format("\n{:20}{:9.1f}", zone.name, 100 * available.back());
        const std::size_t starts = num_starts(zone, 92);
        for (const char* pace : {"none", "uniform"}) {
            for (const int deadline : {52, 70, 92}) {
                CAPTURE(zone.name);
                CAPTURE(pace);
                CAPTURE(deadline);
                const std::vector<Outcome> outcomes = runs(zone.file, deadline, pace, starts);
                REQUIRE(outcomes.size() == starts);
                for (const Outcome& outcome : outcomes) {
                    REQUIRE(outcome.jct_s <= deadline * 3600);
                    least[pace] = std::min(least[pace], saving(outcome));
                    most = std::max(most, saving(outcome));
                }
                means[{pace, deadline}].push_back(mean_saving(outcomes));
                table += fmt::format("{:11.1f}", 100 * means[{pace, deadline}].back());
            }
        }
    }
    MESSAGE(table);
    MESSAGE(fmt::format("one start, %: least {:.1f}, at a uniform pace {:.1f}; most {:.1f}",
                        100 * least["none"],
                        100 * least["uniform"],
                        100 * most));
    CHECK(most <= 0.682 + 1e-9);
    CHECK(least["none"] > -0.02); // a few restarts on demand
    for (const int deadline : {52, 70, 92}) {
        CAPTURE(deadline);
        CHECK(spearman(available, means[{"none", deadline}]) >= 0.9);
    }
    const auto mean = [&](const char* pace, int deadline) {
        const std::vector<double>& of = means[{pace, deadline}];
        return std::accumulate(of.begin(), of.end(), 0.0) / static_cast<double>(of.size());
    };
    CHECK(mean("uniform", 52) >= mean("none", 52));
}

TEST_CASE("what a job that falls back costs, counted second by second on one trace") {
    for (const Zone& zone : zones()) {
        if (zone.name != "us-east-1f")
            continue;
        const std::vector<bool> up = seconds_up(zone);
        for (const std::int64_t deadline : {52, 70}) {
            const std::vector<Outcome> outcomes =
                runs(zone.file, deadline, "none", num_starts(zone, 92));
            for (std::size_t i = 0; i < outcomes.size(); ++i) {
                CAPTURE(i);
                const double by_hand =
                    cost_by_hand(up, static_cast<std::int64_t>(i) * every_s, deadline);
                REQUIRE(std::abs(outcomes[i].cost - by_hand) < 0.005);
            }
        }
    }
}

TEST_CASE(
    "what a job that falls back costs in closed form, when spot availability alternates evenly") {
    // Up for U, down for V: every cycle after the first costs V + R of slack and does U - R of
    // work.
    constexpr double up = 3;
    constexpr double down = 0.5;
    constexpr double restart = 0.2;
    const TemporaryFolder folder;
    std::string counts = "time_s,count\n";
    for (int cycle = 0; cycle < 60; ++cycle)
        counts += fmt::format(
            "{:.0f},1\n{:.0f},0\n", 3600 * cycle * (up + down), 3600 * (cycle * (up + down) + up));
    const std::string file = folder.write("even.csv", counts);
    for (const int deadline : {52, 54, 56}) {
        CAPTURE(deadline);
        const double reserve = 2 * restart + 1.0 / 3600;
        double slack = deadline - 48;
        int cycles = 0; // after the first
        for (; slack - down > reserve; ++cycles)
            slack -= down + restart;
        const double done = up + cycles * (up - restart);
        REQUIRE(done < 48);
        const double cost = spot * up * (cycles + 1) + on_demand * (restart + 48 - done);
        const std::vector<Outcome> outcomes = runs(file, deadline, "none", 2);
        CHECK(std::abs(outcomes.front().cost - cost) < 0.005);
    }
}

} // namespace bursar::test::cant_be_late_test
