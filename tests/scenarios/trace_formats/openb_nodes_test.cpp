#include <array>
#include <fstream>
#include <map>
#include <string>

#include <doctest/doctest.h>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/trace_formats/openb_nodes.hpp"

#include "tests/scenarios/traces/temporary_file.hpp"
#include "tests/shared_data.hpp"

namespace bursar::openb_nodes_test {

TEST_CASE("node lists: published counts, GPUs and models") {
    struct Expected {
        const char* file;
        std::size_t nodes;
        std::uint32_t gpus;
        std::int64_t cpu_milli;
        std::int64_t memory_mib;
        std::size_t t4_nodes;
    };
    constexpr std::array lists{
        Expected{"data/jobs-alibaba-openb2023/openb_node_list_all_node.csv.gz",
                 1'523,
                 6'212,
                 125'514'000,
                 612'028'416,
                 404},
        Expected{"data/jobs-alibaba-openb2023/openb_node_list_gpu_node.csv.gz",
                 1'213,
                 6'212,
                 107'018'000,
                 503'828'480,
                 404},
        Expected{"golden/fgd/small_nodes.csv", 100, 488, 8'760'000, 42'221'568, 35},
    };
    for (const Expected& expected : lists) {
        CAPTURE(expected.file);
        const auto path = test::shared_data(expected.file);
        if (!path)
            continue;
        Expected found{expected.file, 0, 0, 0, 0, 0};
        for (const NodeRow& node : read_openb_nodes(path->string())) {
            ++found.nodes;
            found.gpus += node.gpus;
            found.cpu_milli += node.cpu_milli;
            found.memory_mib += node.memory_mib;
            found.t4_nodes += node.model == "T4" ? 1 : 0;
            CHECK((node.gpus == 0) == node.model.empty());
        }
        CHECK(found.nodes == expected.nodes);
        CHECK(found.gpus == expected.gpus);
        CHECK(found.cpu_milli == expected.cpu_milli);
        CHECK(found.memory_mib == expected.memory_mib);
        CHECK(found.t4_nodes == expected.t4_nodes);
    }
}

TEST_CASE("all mistakes of a bad node list are reported") {
    const test::TemporaryFile file{"sn,cpu_milli,memory_mib,gpu,model\n"
                                   "a,1,2,x,T4\n"
                                   "b,-1,2,1,T4\n"
                                   "c,1,2\n"
                                   "d,1,2,4294967296,T4\n"};
    try {
        read_openb_nodes(file.path());
        FAIL("not refused");
    } catch (const ScenarioError& error) {
        REQUIRE(error.findings().size() == 4);
        CHECK(error.findings()[0].text() ==
              file.path() + ":2:7: gpu: \"x\" is not a whole number in range");
        CHECK(error.findings()[1].path == "cpu_milli");
        CHECK(error.findings()[2].place.line == 4);
        CHECK(error.findings()[3].path == "gpu");
    }
}

} // namespace bursar::openb_nodes_test
