#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "models/energy/carbon.hpp"
#include "models/energy/power.hpp"
#include "models/reliability/checkpoint_cost.hpp"
#include "models/reliability/checkpoint_interval.hpp"
#include "models/reliability/checkpoint_size.hpp"
#include "models/reliability/expected_efficiency.hpp"
#include "models/reliability/interruption.hpp"

#include "scenarios/catalog/failure_rates.hpp"

#include "tests/shared_data.hpp"

namespace bursar::published_reliability_test {
namespace {

/// Fields of one CSV row; fields may be quoted, without quotes inside.
std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else if (c != '\r')
            fields.back() += c;
    }
    return fields;
}

/// The published values by row id.
std::map<std::string, double> published_values(const std::filesystem::path& path) {
    std::ifstream file{path};
    std::string line;
    std::getline(file, line);
    const std::vector<std::string> header = fields_of(line);
    const auto value =
        static_cast<std::size_t>(std::find(header.begin(), header.end(), "value") - header.begin());
    std::map<std::string, double> values;
    while (std::getline(file, line)) {
        const std::vector<std::string> fields = fields_of(line);
        if (value < fields.size())
            values[fields.front()] = std::strtod(fields[value].c_str(), nullptr);
    }
    return values;
}

double hours(Seconds time) {
    return time.count() / seconds_per_hour;
}

double rsc1_hours(double gpus) {
    return hours(
        mean_time_between_failures(builtin_failure_rates().find("rsc-1")->rates, gpus / 8));
}

double daly_minutes(double mtbf_minutes) {
    return daly_interval(Seconds{300}, Seconds{60 * mtbf_minutes}).count() / 60;
}

} // namespace

TEST_CASE("formulas reproduce every row of checkpoint_reliability_energy.csv that they cover") {
    const auto path = test::shared_data("validation/checkpoint_reliability_energy.csv");
    if (!path)
        return;
    const std::map<std::string, double> published = published_values(*path);
    const ByteVolume bloom = checkpoint_size(176e9, 14);
    const Seconds save = synchronous_checkpoint(ByteVolume{2.3e12}, ByteRate{57e9}).blocking;
    const Seconds time{1'082'990 * seconds_per_hour};
    const Site gpus_alone{.node_overhead = 0, .pue = 1};
    const Energy energy = facility_power(1, Power{400}, gpus_alone) * time;
    const Seconds opt =
        mean_time_between_failures(builtin_failure_rates().find("opt-175b")->rates, 124);
    struct Row {
        const char* id;
        double predicted;
        double tolerance; // relative; half a unit of the last printed digit or the row's own note
    };
    const std::vector<Row> rows{
        {"rel-01", bloom.count() / (bytes_per_gib * 1024), 0.03}, // printed as TB, is TiB
        {"rel-02", save.count(), 0.02},
        {"rel-10", hours(Seconds{54 * seconds_per_day / 419}), 0.002},
        {"rel-14", rsc1_hours(16384), 0.005},
        {"rel-15", rsc1_hours(131072), 0.025},
        {"rel-16",
         hours(mean_time_between_failures(builtin_failure_rates().find("fitted")->rates, 128)),
         1e-9},
        {"rel-17", Seconds{seconds_per_day} / opt, 1e-9},
        {"rel-18", daly_minutes(24 * 60), 0.005},
        {"rel-19", daly_minutes(6 * 60), 0.01},
        {"rel-20", daly_minutes(15), 0.006},
        {"rel-22", energy.count() / joules_per_kwh, 1e-6},
        {"rel-23", (energy * CarbonIntensity{57}).count() / grams_per_tonne, 5e-4},
    };
    for (const Row& row : rows) {
        CAPTURE(row.id);
        REQUIRE(published.contains(row.id));
        CHECK(row.predicted == doctest::Approx(published.at(row.id)).epsilon(row.tolerance));
    }
    // rel-03: a save every three hours takes about 0.37 % of the time.
    CHECK(save / Seconds{published.at("rel-03") * seconds_per_hour} ==
          doctest::Approx(0.0037).epsilon(0.02));
    // rel-11 is a lower bound. At Llama 3's failures the model exceeds it with saves of 30 s and
    // restarts of five minutes, but with saves of a minute for no restart time.
    const Seconds mtbf =
        mean_time_between_failures(builtin_failure_rates().find("llama-3")->rates, 2048);
    const auto kept = [&](double dump, double restart) {
        const CheckpointedRun run{{Seconds{dump}, Seconds{}, 0}, Seconds{restart}, mtbf};
        return 100 * expected_shares(run, optimal_interval(run)).useful;
    };
    CHECK(kept(30, 300) > published.at("rel-11"));
    CHECK(kept(60, 0) < published.at("rel-11"));
}

} // namespace bursar::published_reliability_test
