#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/trace_formats/slurm_tres.hpp"

namespace bursar::slurm_tres_test {

TEST_CASE("resources of a job: GPUs with and without types, cores, memory in MiB") {
    const auto both =
        parse_slurm_tres("billing=32,cpu=32,gres/gpu:a100=8,gres/gpu=8,mem=500G,node=1");
    REQUIRE(both);
    CHECK(both->gpus == 8);
    CHECK(both->cpu_milli == 32'000);
    CHECK(both->memory_mib == 512'000);
    CHECK(both->gpu_types == std::vector<std::string>{"a100"});

    const auto typed = parse_slurm_tres("cpu=1K,gres/gpu:a100=2,gres/gpu:h100=4,mem=2.50T");
    REQUIRE(typed);
    CHECK(typed->gpus == 6);
    CHECK(typed->cpu_milli == 1'000'000);
    CHECK(typed->memory_mib == 2'621'440);

    const auto none = parse_slurm_tres("cpu=4,mem=4000,gres/shard=2");
    REQUIRE(none);
    CHECK(none->gpus == 0);
    CHECK(none->memory_mib == 4'000);
    CHECK(parse_slurm_tres("")->gpus == 0);
}

TEST_CASE("texts that are no list of resources") {
    for (const std::string_view text :
         {"cpu", "cpu=", "cpu=x", "gres/gpu=-1", "gres/gpu:a100=two", "mem=1X", ",", "8"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_slurm_tres(text));
    }
}

} // namespace bursar::slurm_tres_test
