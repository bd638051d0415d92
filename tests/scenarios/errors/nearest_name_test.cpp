#include <doctest/doctest.h>

#include "scenarios/errors/nearest_name.hpp"

namespace bursar::nearest_name_test {

TEST_CASE("for a misspelt name the probable one is suggested") {
    const std::vector<std::string> policies{"fifo", "sjf", "srtf", "las"};
    CHECK(suggestion("fifi", policies) == "did you mean \"fifo\"?");
    CHECK(suggestion("SJF", policies) == "did you mean \"sjf\"?");
    CHECK(suggestion("stf", policies) == "did you mean \"sjf\" or \"srtf\"?");
    CHECK(suggestion("gittins", policies) == "one of: fifo, sjf, srtf, las");
    CHECK(suggestion("", policies) == "one of: fifo, sjf, srtf, las");
    CHECK(suggestion("x", {}).empty());
    const std::vector<std::string> gpus{"P100-PCIe-16GB", "V100-SXM2-16GB", "V100-SXM2-32GB"};
    CHECK(nearest_names("V100", gpus) == std::vector<std::string>{gpus[1], gpus[2]});
    CHECK(nearest_names("v100", gpus) == std::vector<std::string>{gpus[1], gpus[2]});
    const std::vector<std::string> models{"P100", "V100", "A100X", "xA100", "A100-SXM", "H100"};
    CHECK(nearest_names("h100", models) == std::vector<std::string>{"H100"});
    CHECK(nearest_names("a100", models) == std::vector<std::string>{"A100-SXM"});
    CHECK(nearest_names("b100", models) ==
          std::vector<std::string>{"P100", "V100", "H100"}); // one typing mistake each
    CHECK(nearest_names(std::string(1 << 20, 'x'), gpus).empty());
}

TEST_CASE("another spelling of a name differs in capitals, blanks, '-' and '_' only") {
    const std::vector<std::string> names{"on_demand", "zero1", "best-fit", "a-b", "a_b"};
    CHECK(*meant_name("on-demand", names) == "on_demand");
    CHECK(*meant_name("OnDemand", names) == "on_demand");
    CHECK(*meant_name("ZeRO-1", names) == "zero1");
    CHECK(*meant_name("a-b", names) == "a-b");
    CHECK(meant_name("ab", names) == nullptr); // ambiguous
    CHECK(meant_name("best", names) == nullptr);
    CHECK(meant_name("best-fit-", names) == nullptr);
    CHECK(meant_name("", names) == nullptr);
    CHECK(spellings_of("a-1") == "[Aa][-_ ]*1");
}

TEST_CASE("a long list of names is cut") {
    const std::vector<std::string> many(50, "name");
    CHECK(suggestion("zzzzzzzz", many).ends_with(", name, name and 33 more"));
    CHECK(suggestion("zzzzzzzz", many).size() < 130);
}

} // namespace bursar::nearest_name_test
