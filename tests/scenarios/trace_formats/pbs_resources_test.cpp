#include <string_view>

#include <doctest/doctest.h>

#include "scenarios/trace_formats/pbs_resources.hpp"

namespace bursar::pbs_resources_test {

TEST_CASE("GPUs of a select statement, and of Torque's nodes") {
    CHECK(gpus_of_select("2:ncpus=16:ngpus=4+1:ngpus=1") == 9);
    CHECK(gpus_of_select("1:ncpus=16:mem=64gb") == 0);
    CHECK(gpus_of_select("ncpus=2:ngpus=3") == 3); // one chunk
    CHECK(gpus_of_select("3:xngpus=4") == 0);
    CHECK(gpus_of_nodes("2:ppn=8:gpus=4+node7:gpus=1") == 9);
    CHECK(gpus_of_nodes("4") == 0);
    CHECK(gpus_of_nodes("7node:gpus=2") == 2);
    for (const std::string_view text : {"",
                                        "two:ngpus=1",
                                        "2:ngpus=",
                                        "2:ngpus=x",
                                        "1:ngpus=1+",
                                        "999999999999:ngpus=999999999999"}) {
        CAPTURE(text);
        CHECK_FALSE(gpus_of_select(text));
    }
}

TEST_CASE("sizes of PBS in MiB") {
    CHECK(pbs_size_in_mib("128gb") == 131'072);
    CHECK(pbs_size_in_mib("16777216KB") == 16'384);
    CHECK(pbs_size_in_mib("1048576") == 1);
    CHECK(pbs_size_in_mib("524288b") == 1); // half of one
    CHECK(pbs_size_in_mib("2gw") == 16'384);
    CHECK_FALSE(pbs_size_in_mib("2gib"));
    CHECK_FALSE(pbs_size_in_mib("gb"));
}

} // namespace bursar::pbs_resources_test
