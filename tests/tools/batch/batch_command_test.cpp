#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/contains.hpp"
#include "tools/batch/batch_command.hpp"
#include "tools/simulate/version.hpp"

namespace bursar::test::batch_command_test {
namespace {

BatchCommand read(const std::vector<std::string>& words) {
    std::string told;
    return read_batch_command(words, told).value();
}

std::string refusal(const std::vector<std::string>& words) {
    try {
        (void)read(words);
    } catch (const BadCommandLine& wrong) {
        return wrong.what();
    }
    return {};
}

} // namespace

TEST_CASE("a command line of bursar-batch names the plans, the devices and the output") {
    const BatchCommand plain = read({"a.bplan"});
    CHECK(plain.plans == std::vector<std::string>{"a.bplan"});
    CHECK(plain.on == BatchOn::either);
    CHECK(plain.threads >= 1);
    CHECK(plain.team == TeamKind::warp);
    CHECK(plain.repeat == 1);
    CHECK(plain.output.empty());
    const BatchCommand all = read({"--device=both",
                                   "a.bplan",
                                   "-o",
                                   "x.csv",
                                   "--threads",
                                   "3",
                                   "--repeat=4",
                                   "--times",
                                   "t.csv",
                                   "--",
                                   "--b.bplan"});
    CHECK(all.plans == std::vector<std::string>{"a.bplan", "--b.bplan"});
    CHECK(all.on == BatchOn::both);
    CHECK(all.output == "x.csv");
    CHECK(all.threads == 3);
    CHECK(all.repeat == 4);
    CHECK(all.times == "t.csv");
    CHECK(read({"--check", "a"}).on == BatchOn::both);
    CHECK(read({"--team", "lane", "a"}).team == TeamKind::lane);
    CHECK(read({"--devices"}).lists_gpus);
}

TEST_CASE("help and version are printed, and nothing else is read") {
    std::string told;
    CHECK_FALSE(read_batch_command(std::vector<std::string>{"--help", "--none"}, told));
    CHECK(contains(told, "usage: bursar-batch [OPTIONS] PLAN..."));
    CHECK_FALSE(read_batch_command(std::vector<std::string>{"--version"}, told));
    CHECK(told == "bursar-batch " + std::string{version} + "\n");
}

TEST_CASE("a wrong command line is refused") {
    CHECK(contains(refusal({}), "no plan file is named"));
    CHECK(contains(refusal({"--device", "tpu", "a"}), "one of: auto, host, cuda, both"));
    CHECK(contains(refusal({"--team=block", "a"}), "one of: warp, lane"));
    CHECK(contains(refusal({"a", "--repeat", "0"}), "--repeat: expected a number from 1 to"));
    CHECK(contains(refusal({"a", "--threads=2x"}), "not \"2x\""));
    CHECK(contains(refusal({"a", "-o"}), "-o: a value is missing"));
    CHECK(contains(refusal({"a", "--all"}), "unknown option --all"));
}

} // namespace bursar::test::batch_command_test
