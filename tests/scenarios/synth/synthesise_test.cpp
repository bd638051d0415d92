#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include <doctest/doctest.h>

#include "scenarios/catalog/profiles.hpp"
#include "scenarios/synth/synthesise.hpp"

#include "tests/properties.hpp"

namespace bursar::synthesise_test {
namespace {

double gpus(const Trace& trace, std::size_t job) {
    return trace.gpus[job] * (trace.gpu_milli.empty() ? 1.0 : trace.gpu_milli[job] / 1000.0);
}

double run_s(const Trace& trace, std::size_t job) {
    return static_cast<double>(trace.duration_ms[job]) / 1000;
}

double offered_gpu_s(const Trace& trace) {
    double sum = 0;
    for (std::size_t job = 0; job < trace.size(); ++job)
        sum += gpus(trace, job) * run_s(trace, job);
    return sum;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The statistics of a trace, with the names of targets().
std::map<std::string, double, std::less<>> measured(const Trace& trace) {
    const auto n = static_cast<double>(trace.size());
    const double total = offered_gpu_s(trace);
    std::map<std::string, double, std::less<>> out{{"mean_gpu_s", total / n}};
    std::vector<double> sizes;
    std::vector<double> runs;
    const std::map<JobEnd, std::string> ends{{JobEnd::completed, "completed"},
                                             {JobEnd::cancelled, "cancelled"},
                                             {JobEnd::failed, "failed"}};
    for (std::size_t job = 0; job < trace.size(); ++job) {
        sizes.push_back(gpus(trace, job));
        runs.push_back(run_s(trace, job));
        out["mean_gpus"] += sizes.back() / n;
        out["mean_run_s"] += runs.back() / n;
        out["gangs_of_" + std::to_string(trace.gpus[job])] += 1 / n;
        if (trace.end.empty())
            continue;
        out["jobs_" + ends.at(trace.end[job])] += 1 / n;
        out["gpu_time_" + ends.at(trace.end[job])] += sizes.back() * runs.back() / total;
    }
    out["max_run_s"] = *std::ranges::max_element(runs);
    out["median_run_s"] = median(runs);
    out["median_gpus"] = median(sizes);
    return out;
}

SyntheticSpec spec_of(std::string_view like, std::int64_t jobs) {
    return {.like = std::string{like}, .jobs = jobs, .gpus = 2000, .load = 0.95, .seed = 1};
}

/// Allowed deviation of a sample of 200,000. Run times are so skewed that a few hundred jobs have
/// half of the GPU time, so its shares deviate most.
struct Tolerance {
    double relative{};
    double absolute{};
};
Tolerance tolerance(std::string_view name) {
    if (name == "mean_gpus")
        return {.relative = 0.03};
    if (name == "median_run_s")
        return {.relative = 0.05};
    if (name == "mean_run_s")
        return {.relative = 0.10};
    if (name == "mean_gpu_s")
        return {.relative = 0.15};
    if (name.starts_with("jobs_") || name.starts_with("gangs_"))
        return {.absolute = 0.005};
    if (name.starts_with("gpu_time_"))
        return {.absolute = 0.05};
    return {}; // median_gpus: exact
}

} // namespace

TEST_CASE("a synthetic trace has the published statistics") {
    for (const std::string& like : builtin_profiles().names()) {
        const Trace trace = synthesise(spec_of(like, 200'000));
        const auto statistics = measured(trace);
        for (const Target& target : builtin_profiles().profile(like).targets) {
            CAPTURE(like);
            CAPTURE(target.name);
            const double value = statistics.find(target.name)->second;
            CAPTURE(value);
            CAPTURE(target.value);
            if (target.name == "max_run_s") { // the longest of 200,000 is only near it
                CHECK(value <= target.value);
                CHECK(value > 0.5 * target.value);
                continue;
            }
            const auto [relative, absolute] = tolerance(target.name);
            CHECK(std::abs(value - target.value) <= relative * target.value + absolute);
        }
    }
}

TEST_CASE("a synthetic trace is well formed") {
    const Trace trace = synthesise(spec_of("philly", 20'000));
    const std::size_t n = 20'000;
    CHECK(trace.format == "synthetic philly");
    CHECK(trace.zero_utc_ms == 1'506'902'400'000);
    CHECK(trace.num_rows_read == n);
    CHECK(trace.duration_ms.size() == n);
    CHECK(trace.gpus.size() == n);
    CHECK(trace.end.size() == n);
    CHECK(trace.tenant.size() == n);
    CHECK(trace.line.front() == 1);
    CHECK(trace.line.back() == n);
    CHECK(trace.gpu_milli.empty());
    CHECK(trace.gpu_type_sets.size() == 1);
    CHECK(std::ranges::is_sorted(trace.submit_ms));
    CHECK(trace.submit_ms.front() == 0);
    const auto whole_s = [](std::int64_t ms) { return ms % 1000 == 0; };
    CHECK(std::ranges::all_of(trace.submit_ms, whole_s));
    CHECK(std::ranges::all_of(trace.duration_ms, whole_s));
    CHECK(*std::ranges::min_element(trace.duration_ms) >= 1000);
    CHECK(trace.tenants.size() == 15);
    CHECK(*std::ranges::max_element(trace.tenant) < trace.tenants.size());
    CHECK(std::ranges::count(trace.tenant, 0) == doctest::Approx(0.5106 * n).epsilon(0.03));

    const Trace shares = synthesise(spec_of("pai", 1000));
    CHECK(shares.gpu_milli.size() == 1000);
    CHECK(shares.end.empty());
    CHECK(synthesise(spec_of("helios", 1000)).tenants.size() == 4);
}

TEST_CASE("the load is the requested one, to half a second of the span") {
    CHECK(check_property([] {
        SyntheticSpec spec;
        spec.like = drawn::one_of<std::string>("philly", "helios", "pai");
        spec.jobs = drawn::in_range(2, 2000);
        spec.gpus = drawn::in_range(1, 100'000);
        spec.load = drawn::in_range(1, 300) / 100.0;
        spec.seed = drawn::bits();
        const Trace trace = synthesise(spec);
        const double span_s = static_cast<double>(trace.submit_ms.back()) / 1000;
        const double wanted_s = offered_gpu_s(trace) / static_cast<double>(spec.gpus) / spec.load;
        RC_ASSERT(std::abs(span_s - wanted_s) <= 0.5 + 1e-9 * wanted_s);
        RC_ASSERT(std::ranges::is_sorted(trace.submit_ms));
        RC_ASSERT(*std::ranges::max_element(trace.gpus) <= spec.gpus);
    }));
}

TEST_CASE("one seed gives one trace, byte for byte") {
    const SyntheticSpec spec = spec_of("philly", 5000);
    const Trace once = synthesise(spec);
    const Trace again = synthesise(spec);
    CHECK(once.submit_ms == again.submit_ms);
    CHECK(once.duration_ms == again.duration_ms);
    CHECK(once.gpus == again.gpus);
    CHECK(once.end == again.end);
    CHECK(once.tenant == again.tenant);

    SUBCASE("another seed gives another") {
        SyntheticSpec other = spec;
        other.seed = 2;
        CHECK(synthesise(other).duration_ms != once.duration_ms);
        CHECK(synthesise(other).submit_ms != once.submit_ms);
        CHECK(synthesise(other).gpus != once.gpus);
    }
    SUBCASE("load moves the jobs and changes nothing else") {
        SyntheticSpec busier = spec;
        busier.load = 1.9;
        const Trace busy = synthesise(busier);
        CHECK(busy.duration_ms == once.duration_ms);
        CHECK(busy.gpus == once.gpus);
        CHECK(std::abs(2 * busy.submit_ms.back() - once.submit_ms.back()) <= 1000);
    }
    SUBCASE("more jobs begin with the same jobs") {
        const Trace longer = synthesise(spec_of("philly", 6000));
        CHECK(
            std::ranges::equal(once.duration_ms, std::span{longer.duration_ms}.first(once.size())));
    }
}

TEST_CASE("the first jobs of seed 1 are the same for every machine and compiler") {
    const Trace trace = synthesise(spec_of("philly", 1000));
    std::uint64_t hash = 14695981039346656037U; // FNV-1a over the numbers
    const auto add = [&](std::uint64_t number) { hash = (hash ^ number) * 1099511628211U; };
    for (std::size_t job = 0; job < trace.size(); ++job) {
        add(static_cast<std::uint64_t>(trace.submit_ms[job]));
        add(static_cast<std::uint64_t>(trace.duration_ms[job]));
        add(trace.gpus[job]);
        add(static_cast<std::uint64_t>(trace.end[job]));
        add(trace.tenant[job]);
    }
    CHECK(hash == 11580006692611852200U);
}

TEST_CASE("the smallest workloads work") {
    const Trace one = synthesise(spec_of("helios", 1));
    CHECK(one.size() == 1);
    CHECK(one.submit_ms == std::vector<std::int64_t>{0});

    SyntheticSpec single_gpu = spec_of("philly", 500);
    single_gpu.gpus = 1;
    CHECK(std::ranges::all_of(synthesise(single_gpu).gpus, [](auto g) { return g == 1; }));
}

TEST_CASE("an impossible workload is refused") {
    const auto refused = [](auto change) {
        SyntheticSpec spec = spec_of("philly", 100);
        change(spec);
        try {
            (void)synthesise(spec);
        } catch (const ScenarioError& error) {
            return std::string{error.what()};
        }
        return std::string{};
    };
    CHECK(refused([](auto& s) { s.like = "kalos"; }) ==
          "like: unknown workload \"kalos\"; one of: philly, helios, pai");
    CHECK(refused([](auto& s) { s.jobs = 0; }) == "jobs: 0 jobs; 1 to 4294967295");
    CHECK(refused([](auto& s) { s.gpus = 0; }) == "gpus: 0 GPUs; at least 1");
    CHECK(refused([](auto& s) { s.load = 0; }).starts_with("load: a load of 0"));
    CHECK(refused([](auto& s) { s.load = std::nan(""); }).starts_with("load: a load of nan"));
    CHECK(refused([](auto& s) { s.load = 1e-9; }).find("years") != std::string::npos);
    CHECK(refused([](auto& s) {
              s.place = {"s.yaml", 3, 5};
              s.load = 0;
          }).starts_with("s.yaml:3:5: workload.synthetic.load: a load of 0"));
}

} // namespace bursar::synthesise_test
