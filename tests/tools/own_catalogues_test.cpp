// The user's stacks and networks in scenarios.

#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/contains.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::own_catalogues_test {
namespace {

/// Two profiles that differ only in the time of the host.
constexpr const char* two_stacks = "stacks:\n"
                                   "  - {name: quick, source: guessed}\n"
                                   "  - {name: slow, source: guessed, constants: "
                                   "{host_forward: 0.005, host_backward: 0.005}}\n";
constexpr const char* slow_stack = "stacks:\n"
                                   "  - {name: slow, source: guessed, constants: "
                                   "{host_forward: 0.005, host_backward: 0.005}}\n";
constexpr const char* tiny_network =
    "transformers:\n"
    "  - {name: tiny, layers: 4, hidden: 512, ffn: 2048, heads: 8, vocab: 1000, sequence: 512,\n"
    "     source: own, date: 2026-11-01}\n";

/// A scenario of one job whose class has these keys.
std::string scenario(const std::string& keys) {
    return "bursar: 1\n"
           "workload:\n"
           "  jobs: [{name: a, gpus: 8}]\n"
           "  classes: [{steps: 1000, batch: 64 samples, micro_batch: 1, "
           "parallelism: {}, " +
           keys +
           "}]\n"
           "fleet: [{pool: p, purchase: owned, gpu: H100, nodes: 1, gpus_per_node: 8,\n"
           "  price: 2 USD/gpu-h}]\n";
}

nlohmann::json summary(const std::vector<std::string>& arguments) {
    std::vector<std::string> all{"run"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    all.insert(all.end(), {"--format", "json"});
    const Answer answer = bursar(all);
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    return nlohmann::json::parse(answer.out);
}

double seconds(const nlohmann::json& summary) {
    return summary["run"]["end"].get<double>();
}

std::string refusal(const std::vector<std::string>& arguments) {
    const Answer answer = bursar(arguments);
    CHECK(answer.code == 2);
    CHECK(answer.out.empty());
    return answer.err;
}

} // namespace

TEST_CASE("a stack is a name of --stacks or a file with one profile") {
    const TemporaryFolder folder;
    const std::string stacks = folder.write("two.yaml", two_stacks);
    folder.write("slow.yaml", slow_stack);
    const auto with = [&](const std::string& stack) {
        return folder.write(stack.substr(0, 4) + ".s.yaml",
                            scenario("model: gpt-1.3b, stack: " + stack));
    };
    const nlohmann::json quick = summary({with("quick"), "--stacks", stacks});
    const nlohmann::json named = summary({with("slow"), "--stacks", stacks});
    const nlohmann::json in_file = summary({with("slow.yaml")}); // relative to the scenario
    CHECK(seconds(named) > 1.5 * seconds(quick));
    CHECK(seconds(in_file) == seconds(named));
    CHECK(contains(in_file["coverage"]["assumed"].dump(), "software stack slow"));

    const Answer check = bursar({"check", with("slow"), "--stacks", stacks});
    CHECK(check.code == 0);
    CHECK(contains(check.out, "slow"));
    const Answer compare = bursar({"compare",
                                   with("slow"),
                                   "--stacks",
                                   stacks,
                                   "--vary",
                                   "workload.classes[0].stack=slow,quick"});
    CAPTURE(compare.err);
    CHECK(compare.code == 0);
}

TEST_CASE("a model is a name of --architectures or a file with one network") {
    const TemporaryFolder folder;
    const std::string networks = folder.write("tiny.yaml", tiny_network);
    const std::string by_name = folder.write("name.s.yaml", scenario("model: tiny"));
    const std::string by_file = folder.write("file.s.yaml", scenario("model: ./tiny.yaml"));
    const nlohmann::json named = summary({by_name, "--architectures", networks});
    const nlohmann::json in_file = summary({by_file});
    CHECK(seconds(in_file) == seconds(named));
    CHECK(contains(in_file["coverage"]["assumed"].dump(), "tiny: "));
    CHECK(contains(refusal({"run", by_name}), "workload.classes[0].model: unknown name \"tiny\""));
}

TEST_CASE("the content of such files is in the scenario's hash, and they are not overwritten") {
    const TemporaryFolder folder;
    const std::string file = folder.write("s.yaml", scenario("model: gpt-1.3b, stack: own.yml"));
    const auto hash = [&](const std::vector<std::string>& options = {}) {
        std::vector<std::string> arguments{file};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return summary(arguments)["run"]["scenario_hash"].get<std::string>();
    };
    folder.write("own.yml", slow_stack);
    const std::string first = hash();
    CHECK(hash() == first);
    folder.write("own.yml", "# the same\n" + std::string{slow_stack});
    CHECK(hash() == first);
    const std::string stacks = folder.write("other.yaml", two_stacks);
    CHECK(hash({"--stacks", stacks}) != first);
    folder.write("own.yml", "stacks: [{name: slow, source: guessed}]\n");
    CHECK(hash() != first);

    const std::string result = folder.write("result.json", slow_stack);
    folder.write("in.yaml", scenario("model: gpt-1.3b, stack: ./result.json"));
    const std::string before = read_file(result);
    CHECK(contains(refusal({"run", folder.file("in.yaml"), "--out", folder.path().string()}),
                   "is an input of this command"));
    CHECK(contains(refusal({"run", file, "--stacks", result, "--out", folder.path().string()}),
                   "is an input of this command"));
    CHECK(read_file(result) == before);
}

TEST_CASE("a file of several profiles, a missing one and a wrong one are reported") {
    const TemporaryFolder folder;
    folder.write("two.yaml", two_stacks);
    folder.write("bad.yaml", "stacks:\n  - {name: x, source: s, fast: 1}\n");
    const auto told = [&](const std::string& stack) {
        return refusal(
            {"run", folder.write("s.yaml", scenario("model: gpt-1.3b, stack: " + stack))});
    };
    CHECK(contains(told("two.yaml"),
                   "workload.classes[0].stack: the file has 2 entries (quick, slow); --stacks "
                   "FILE, and the name of one here"));
    CHECK(contains(told("none.yaml"), "s.yaml:4:"));
    CHECK(contains(told("none.yaml"), "workload.classes[0].stack: cannot read the file \""));
    CHECK(contains(told("bad.yaml"), "bad.yaml:2:"));
    CHECK(contains(told("bad.yaml"), "stacks.x.fast: unknown key"));
    CHECK(contains(told("fsdp-flsh"), "did you mean \"fsdp-flash\"?"));
}

} // namespace bursar::test::own_catalogues_test
