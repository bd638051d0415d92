// What people write and read: spellings, places of mistakes, warnings, characters of a locale.

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/places.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::words_test {

TEST_CASE("--columns reads lists as --vary does") {
    const TemporaryFolder folder;
    const std::string file = folder.write("t.csv", "when,took,\"n, all\"\n0,1,4\n1,1,4\n");
    const Answer one =
        bursar({"trace", "info", "--columns", "submit=when,duration=took,gpus=\"n, all\"", file});
    CHECK(one.code == 0);
    const Answer several = bursar({"trace",
                                   "info",
                                   file,
                                   "--columns",
                                   "submit=when",
                                   "--columns",
                                   "duration=took,gpus='n, all'"});
    CHECK(several.out == one.out);
    has(one.out, "2 jobs of 1 tenant");
    has(bursar({"trace", "info", file, "--columns", "gpus=n,gpus=m"}).err, "mapped twice");
    has(bursar({"trace", "info", file, "--columns", "gpus=\"n"}).err, "do not match");
}

TEST_CASE("no message and no answer has a quantity that nobody wrote") {
    const TemporaryFolder folder;
    std::string flat = "params,tokens,loss\n";
    for (int run = 0; run < 12; ++run)
        flat += "1e" + std::to_string(run % 6 + 5) + ",2e" + std::to_string(run % 5 + 8) + ",2.5\n";
    const std::string fit = folder.write("flat.csv", flat);
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"checkpoint", "--gpus", "64", "--params", "7e9", "--restart", "34 y"},
             {"checkpoint",
              "--gpus",
              "64",
              "--params",
              "7e9",
              "--preemptions-per-day",
              "1000000000"},
             {"chinchilla", "--fit", fit},
             {"chinchilla", "--fit", fit, "--flops", "1e21"},
             {"chinchilla", "--fit", fit, "--target-loss", "3"},
             {"chinchilla", "--fit", fit, "--params", "1e9"},
             {"chinchilla", "--flops", "1e-300", "--params", "1e39"},
             {"chinchilla", "--flops", "1e39", "--kn", "1e39", "--a", "10"},
             {"chinchilla", "--flops", "1e-30", "--kn", "1e-39", "--a", "10"}}) {
        std::vector<std::string> arguments{"model"};
        arguments.insert(arguments.end(), command.begin(), command.end());
        const Answer answer = bursar(arguments);
        CAPTURE(answer.err);
        CHECK(answer.code == 2);
        CHECK(answer.err.find("inf") == std::string::npos);
        CHECK(answer.err.find("nan") == std::string::npos);
        CHECK(answer.err.find("Assertion") == std::string::npos);
    }
}

} // namespace bursar::test::words_test
