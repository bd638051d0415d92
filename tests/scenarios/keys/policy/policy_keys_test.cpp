#include <fstream>

#include <doctest/doctest.h>

#include "scenarios/keys/read_scenario.hpp"
#include "scenarios/scenario/policy_text.hpp"

#include "tests/scenarios/scenario/test_names.hpp"
#include "tests/scenarios/traces/temporary_file.hpp"

namespace bursar::policy_keys_test {
namespace {

const std::string head = "bursar: 1\n"
                         "workload:\n"
                         "  trace: {file: jobs.csv}\n"
                         "fleet:\n"
                         "  - {pool: a, purchase: owned, gpu: V100-SXM2-16GB, nodes: 2,\n"
                         "     gpus_per_node: 8, price: 1 USD/gpu-h}\n";

Scenario read(const std::string& policy, const std::vector<std::string>& set_texts = {}) {
    std::vector<Override> sets;
    for (const std::string& set : set_texts)
        sets.push_back(parse_override(set));
    return read_scenario_text(
        head + policy, "s.yaml", sets, test::known_names(), builtin_catalogue());
}

std::string mistakes(const std::string& policy, const std::vector<std::string>& sets = {}) {
    try {
        read(policy, sets);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

std::vector<std::int64_t> list_of(const PolicyChoice& choice, std::string_view option) {
    const auto& given = choice.queue_options.given();
    const auto at = given.find(option);
    return at == given.end() ? std::vector<std::int64_t>{} : at->second;
}

} // namespace

TEST_CASE("the value of a policy slot is a name, or a mapping of the name and the options of that "
          "policy") {
    CHECK(read("policy: {queue: las}\n").policy.queue == "las");
    CHECK(read("policy: {queue: las}\n").policy.queue_options == PolicyOptions{});
    const PolicyChoice choice =
        read("policy:\n"
             "  queue: {name: las, by: time, levels: [3250 gpu-s, 2 gpu-h]}\n"
             "  rounds: 6 min\n")
            .policy;
    CHECK(choice.queue == "las");
    CHECK(list_of(choice, "by") == std::vector<std::int64_t>{1});
    CHECK(list_of(choice, "levels") == std::vector<std::int64_t>{3'250'000, 7'200'000});
    CHECK(choice.quantum == 6 * minute);
    const PolicyChoice aging =
        read("policy: {queue: {name: aging, after: 1.5 min, weight: 0.25, steps: 8}}\n").policy;
    CHECK(list_of(aging, "after") == std::vector<std::int64_t>{90'000});
    CHECK(list_of(aging, "weight") == std::vector<std::int64_t>{250});
    CHECK(list_of(aging, "steps") == std::vector<std::int64_t>{8});
    CHECK(read("policy: {queue: {name: las, levels: 1 gpu-h}}\n")
              .policy.queue_options.given()
              .at("levels") == std::vector<std::int64_t>{3'600'000});
}

TEST_CASE("--set reaches into the options of a policy, named in short or in full") {
    for (const std::string policy : {"policy: {queue: las}\n", "policy: {queue: {name: las}}\n"}) {
        const PolicyChoice choice = read(policy, {"policy.queue.by=time"}).policy;
        CHECK(choice.queue == "las");
        CHECK(list_of(choice, "by") == std::vector<std::int64_t>{1});
    }
    const PolicyChoice both = read("", {"policy.queue=las", "policy.queue.by=time"}).policy;
    CHECK(both.queue == "las");
    CHECK(list_of(both, "by") == std::vector<std::int64_t>{1});
    CHECK(read("policy: {queue: {name: las, by: time}}\n", {"policy.queue=las"}).policy ==
          read("policy: {queue: las}\n").policy);
    CHECK(mistakes("", {"policy.queue.by=time"}) ==
          "--set 1: policy.queue.by: no name is written, and fifo has no option \"by\" (it has "
          "none); it is an option of "
          "las");
}

TEST_CASE("mistakes in options are reported at their places, all in one pass") {
    CHECK(mistakes("policy:\n"
                   "  queue: {name: las, bye: time, levels: [3250 s, 2 gpu-h], by: memory}\n"
                   "  placement: {name: frist-fit}\n"
                   "  head: {name: skip, steps: 2}\n"
                   "  rounds: 0 s\n") ==
          "s.yaml:8:22: policy.queue.bye: las has no option \"bye\" (its options: by, levels, "
          "times); did "
          "you mean \"by\"?\n"
          "s.yaml:8:42: policy.queue.levels[0]: \"3250 s\" has the unknown unit \"s\" (expected a "
          "GPU time such as \"3250 gpu-s\"); units: gpu-s, gpu-min, gpu-h, gpu-d\n"
          "s.yaml:8:64: policy.queue.by: unknown name \"memory\"; one of: gpu-time, time\n"
          "s.yaml:9:21: policy.placement.name: unknown name \"frist-fit\"; did you mean "
          "\"first-fit\"?\n"
          "s.yaml:10:22: policy.head.steps: skip has no option \"steps\" (it has none)\n"
          "s.yaml:11:11: policy.rounds: \"0 s\" is zero (a duration above zero)");
}

TEST_CASE("every kind of option reports a value out of its range") {
    const std::pair<std::string, std::string> cases[] = {
        {"after: 0.5 s", "after: \"0.5 s\" is too small (1 s to 1 d)"},
        {"after: 2 d", "after: \"2 d\" is too large (1 s to 1 d)"},
        {"after: 60", "after: \"60\" has no unit (expected a duration such as \"15 min\")"},
        {"weight: 2.501", "weight: \"2.501\" is too large (0 to 2.5)"},
        {"weight: 1.0005", "weight: \"1.0005\" has too many decimals (at most 3)"},
        {"steps: 0", "steps: \"0\" is too small (1 to 8)"},
        {"steps: 9", "steps: \"9\" is too large (1 to 8)"},
        {"steps: 1.5", "steps: \"1.5\" is not a whole number"},
        {"tries: 0", "tries: \"0\" is too small (at least 1, or unlimited)"},
        {"steps: unlimited", "steps: \"unlimited\" is not a whole number"},
        {"steps: [1, 2]", "steps: expected a whole number, found a list"},
        {"steps: 1, steps: 2", "steps: duplicate key"},
    };
    for (const auto& [option, message] : cases) {
        CAPTURE(option);
        const std::string text = mistakes("policy: {queue: {name: aging, " + option + "}}\n");
        CHECK(text.substr(text.find("policy.queue.")) == "policy.queue." + message);
    }
    const std::pair<std::string, std::string> lists[] = {
        {"[]", "levels: a list of 0 (expected 1 to 8 values)"},
        {"[2 gpu-h, 1 gpu-h]",
         "levels[1]: \"1 gpu-h\" is not above the value before it (each limit is)"},
        {"[0 gpu-s]", "levels[0]: \"0 gpu-s\" is too small (at least 0.001 gpu-s)"},
    };
    for (const auto& [list, message] : lists) {
        CAPTURE(list);
        const std::string text = mistakes("policy: {queue: {name: las, levels: " + list + "}}\n");
        CHECK(text.substr(text.find("policy.queue.")) == "policy.queue." + message);
    }
}

TEST_CASE("an option may be a file of GPU times") {
    const auto with = [](const std::string& file) {
        return "policy: {queue: {name: aging, history: \"" + file + "\"}}\n";
    };
    const test::TemporaryFile good{"1 gpu-h\n\n0.5 gpu-s\n1 gpu-h\n"};
    const Scenario scenario = read(with(good.path()));
    CHECK(list_of(scenario.policy, "history") ==
          std::vector<std::int64_t>{3'600'000, 500, 3'600'000});
    CHECK(scenario.inputs.back() == good.path());
    const std::uint64_t hash = scenario.hash;
    std::ofstream{good.path()} << "2 gpu-h\n";
    CHECK(read(with(good.path())).hash != hash);
    CHECK(policy_text(test::known_names().policies[3], scenario.policy.queue_options) ==
          "{name: aging, history: 3 GPU times}");
    CHECK(default_text(test::aging_options[4]) == "none");
    const std::pair<const char*, const char*> bad[] = {
        {"1 gpu-h\n5\n", ":2: \"5\" has no unit"},
        {"0 gpu-h\n", ":1: \"0 gpu-h\" is zero"},
        {"job,gpu_time\n", ":1: \"job,gpu_time\" does not start with a number"},
        {"\n", ": no GPU time"}};
    for (const auto& [content, words] : bad) {
        const test::TemporaryFile file{content};
        const std::string text = mistakes(with(file.path()));
        CAPTURE(text);
        CHECK(text.find("policy.queue.history: \"" + file.path() + "\" cannot be used (" +
                        file.path() + words) != std::string::npos);
    }
    CHECK(
        mistakes(with("/nowhere/x")).find("policy.queue.history: \"/nowhere/x\" cannot be used") !=
        std::string::npos);
}

TEST_CASE("an option that has no effect with another one is a mistake") {
    CHECK(mistakes("policy: {queue: {name: las, by: time, times: 1 h}}\n").empty());
    CHECK(mistakes("policy: {queue: {name: las, by: gpu-time, times: 1 h}}\n") ==
          "s.yaml:7:50: policy.queue.times: has no effect (by is gpu-time, and it is for time)");
    CHECK(mistakes("policy: {queue: {name: las, times: 1 h}}\n") ==
          "s.yaml:7:36: policy.queue.times: has no effect (by is gpu-time, and it is for time)");
}

TEST_CASE("policies that contradict each other are mistakes") {
    CHECK(mistakes("policy: {queue: las, backfill: easy}\n") ==
          "s.yaml:7:32: policy.backfill: easy has no head to reserve for (las preempts by "
          "order, which starts any job that fits); remove it, or use preemption: none, priority or "
          "value");
    CHECK(mistakes("policy: {queue: las, backfill: easy, preemption: none}\n").empty());
    CHECK(mistakes("policy: {head: skip, backfill: easy}\n") ==
          "s.yaml:7:32: policy.backfill: easy has no head to reserve for (with head: skip no job "
          "waits at the head); remove it, or set head to block");
    CHECK(mistakes("policy: {queue: sjf, backfill: easy}\n").empty());
}

TEST_CASE("head: block is a mistake where preemption starts any job that fits") {
    CHECK(mistakes("policy: {queue: las, head: block}\n") ==
          "s.yaml:7:28: policy.head: block has no effect (preemption by order starts any job that "
          "fits); remove it, or use preemption: none, priority or value");
    CHECK(mistakes("policy: {queue: las, head: block, preemption: none}\n").empty());
    CHECK(mistakes("policy: {queue: las, head: skip}\n").empty());
    CHECK(mistakes("policy: {queue: las}\n").empty());
}

TEST_CASE("options are shown as a scenario writes them") {
    const OptionInfo& levels = test::las_options[1];
    CHECK(default_text(levels) == "[3250 gpu-s, 7200 gpu-s]");
    CHECK(option_text(levels, std::vector<std::int64_t>{3'600'000}) == "[1 gpu-h]");
    CHECK(option_text(test::las_options[0], 1) == "time");
    CHECK(option_text(test::aging_options[0], 90'000) == "90 s");
    CHECK(option_text(test::aging_options[0], 7 * day.count()) == "7 d");
    CHECK(option_text(test::aging_options[1], 1500) == "1.5");
    CHECK(range_text(test::las_options[0]) == "gpu-time, time");
    CHECK(range_text(levels) == "at least 0.001 gpu-s");
    CHECK(range_text(test::aging_options[0]) == "1 s to 1 d");
    CHECK(default_text(test::aging_options[3]) == "unlimited");
    CHECK(option_text(test::aging_options[3], 98) == "98");
    const PolicyInfo las = test::known_names().policies[2];
    const PolicyChoice choice =
        read("policy: {queue: {name: las, levels: 1 gpu-h, by: time}}\n").policy;
    CHECK(policy_text(las, choice.queue_options) == "{name: las, by: time, levels: [1 gpu-h]}");
    CHECK(policy_text(las, {}) == "las");
    CHECK(read("policy: {queue: {name: aging, tries: unlimited}}\n")
              .policy.queue_options.value(test::aging_options[3]) == 99);
}

} // namespace bursar::policy_keys_test
