#include <doctest/doctest.h>

#include "scenarios/keys/read_scenario.hpp"

#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::preset_test {
namespace {

Scenario
read(const std::string& policy, const std::string& classes = "", std::vector<Override> sets = {}) {
    const std::string text = "bursar: 1\n"
                             "workload:\n"
                             "  trace: {file: jobs.csv}\n" +
                             (classes.empty() ? "" : "  classes: " + classes + "\n") +
                             "fleet:\n"
                             "  - {pool: a, purchase: owned, gpu: V100-SXM2-16GB, nodes: 2,\n"
                             "     gpus_per_node: 8, price: 1 USD/gpu-h}\n"
                             "policy: " +
                             policy + "\n";
    return read_scenario_text(text, "s.yaml", sets, test::known_names(), builtin_catalogue());
}

std::string options_of(const Scenario& scenario) {
    std::string text;
    for (const auto& [name, values] : scenario.policy.queue_options.given()) {
        text += name + ":";
        for (const std::int64_t value : values)
            text += " " + std::to_string(value);
        text += "; ";
    }
    return text;
}

/// "1..8 7s 1s" for gang sizes, startup and teardown of each class.
std::vector<std::string> classes_of(const Scenario& scenario) {
    std::vector<std::string> texts;
    for (const ClassSpec& spec : scenario.classes) {
        std::string& text = texts.emplace_back();
        if (spec.match && spec.match->gpus) {
            const CountRange& gpus = *spec.match->gpus;
            text += gpus.min ? std::to_string(*gpus.min) : "";
            text += "..";
            text += gpus.max ? std::to_string(*gpus.max) : "";
        }
        text += " " + std::to_string(spec.startup.whole.count() / 1000) + "s";
        text += " " + std::to_string(spec.teardown.count() / 1000) + "s";
    }
    return texts;
}

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("a preset sets policies, and written ones override it") {
    const Scenario plain = read("{preset: peer}");
    CHECK(plain.preset == "peer");
    CHECK(plain.policy.queue == "las");
    CHECK(options_of(plain) == "by: 1; levels: 3600000; ");
    CHECK(plain.policy.head == HeadRule::skip);
    CHECK(plain.policy.capacity == "nodes");

    const Scenario other = read("{preset: peer, queue: sjf}");
    CHECK(other.policy.queue == "sjf");
    CHECK(options_of(other).empty());
    CHECK(other.policy.head == HeadRule::skip);
    // A name replaces the preset's policy; options alone change it.
    CHECK(options_of(read("{preset: peer, queue: las}")).empty());
    CHECK(options_of(read("{preset: peer, queue: {name: las, by: gpu-time}}")) == "by: 0; ");
    CHECK(options_of(read("{preset: peer, queue: {by: gpu-time}}")) == "by: 0; levels: 3600000; ");
    CHECK(options_of(read("{preset: peer}", "", {parse_override("policy.queue.by=gpu-time")})) ==
          "by: 0; levels: 3600000; ");
    CHECK(read("{}", "", {parse_override("policy.preset=peer")}).policy == plain.policy);
}

TEST_CASE("a preset's policy for preempting orders is ignored under others") {
    CHECK(read("{preset: peer}").policy.preemption == "order");
    CHECK(read("{preset: peer, queue: {by: gpu-time}}").policy.preemption == "order");
    CHECK(read("{preset: peer, queue: sjf}").policy.preemption.empty());
    CHECK(read("{preset: peer, preemption: none}").policy.preemption == "none");
}

TEST_CASE("a preset fills in keys that job classes lack, by gang size") {
    CHECK(classes_of(read("{preset: peer}")) == Texts{"1..8 7s 1s", " 60s 1s"});
    CHECK(classes_of(read("{preset: peer}",
                          "[{match: {gpus: 4..16}, teardown: 5 s}, {match: {gpus: 32..}}, "
                          "{startup: 3 s}]")) ==
          Texts{"4..8 7s 5s", "4..16 60s 5s", "32.. 60s 1s", " 3s 1s"});
    // A setting for preempting orders only.
    CHECK(classes_of(read("{preset: peer, queue: sjf}")) == Texts{"1..8 7s 0s", " 60s 0s"});
    CHECK(classes_of(read("{preset: peer, preemption: none}")) == Texts{"1..8 7s 0s", " 60s 0s"});
    CHECK(classes_of(read("{}")).empty());
}

TEST_CASE("an unknown preset is reported with the known ones, and so are other mistakes") {
    try {
        read("{preset: pear, head: skp}");
        FAIL("accepted");
    } catch (const ScenarioError& error) {
        CHECK(std::string{error.what()} ==
              "s.yaml:7:18: policy.preset: unknown name \"pear\"; did you mean \"peer\"?\n"
              "s.yaml:7:30: policy.head: unknown name \"skp\"; did you mean \"skip\"?");
    }
    try {
        read("{preset: peer, queue: {by: memory}}", "[{match: {gpus: 8}}]");
        FAIL("accepted");
    } catch (const ScenarioError& error) {
        CHECK(std::string{error.what()} ==
              "s.yaml:4:21: workload.classes[0].match: the last class has no match (it takes the "
              "remaining jobs)\n"
              "s.yaml:8:36: policy.queue.by: unknown name \"memory\"; one of: gpu-time, time");
    }
}

TEST_CASE("the hash covers the scenario with its preset") {
    CHECK(read("{preset: peer}").hash != read("{}").hash);
    CHECK(read("{preset: peer}").hash != read("{preset: peer, queue: sjf}").hash);
}

} // namespace bursar::preset_test
