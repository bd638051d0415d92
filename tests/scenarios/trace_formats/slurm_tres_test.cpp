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

TEST_CASE("MIG profiles take the larger of their parts of SMs and memory") {
    CHECK(mig_profile_milli("a100_1g.5gb") == 142); // seven fit
    CHECK(mig_profile_milli("nvidia_a100_80gb_pcie_2g.20gb") == 285);
    CHECK(mig_profile_milli("3g.40gb") == 500); // 3/7 of the SMs, half of the memory
    CHECK(mig_profile_milli("a100_4g.20gb") == 571);
    CHECK(mig_profile_milli("a100_7g.40gb") == 1000);
    CHECK(mig_profile_milli("h100_1g.20gb") == 250); // 1/7 of the SMs, a quarter of the memory
    CHECK(mig_profile_milli("1g.6gb+me") == 250);    // A30 has four slices
    CHECK(mig_profile_milli("a100_9g.5gb") == 0);
    CHECK_FALSE(mig_profile_milli("a100"));
    CHECK_FALSE(mig_profile_milli("nvidia_a100-sxm4-40gb"));
}

TEST_CASE("MIG slices, shards and MPS are parts of a GPU") {
    const auto slices = parse_slurm_tres("gres/gpu:a100_1g.5gb=3,gres/gpu=3,mem=1G");
    REQUIRE(slices);
    CHECK(slices->gpus == 3);
    CHECK(slices->gpu_milli == 142);
    CHECK(parse_slurm_tres("gres/gpu:a100_7g.40gb=1")->gpu_milli == 1000);
    for (const char* const name : {"shard", "mps"}) {
        const std::string text = std::string{"cpu=4,gres/"} + name;
        CHECK(parse_slurm_tres(text + "=4", 8)->gpus == 1);
        CHECK(parse_slurm_tres(text + "=4", 8)->gpu_milli == 500);
        CHECK(parse_slurm_tres(text + "=24", 8)->gpus == 3);
        CHECK(parse_slurm_tres(text + "=24", 8)->gpu_milli == 1000);
        CHECK(parse_slurm_tres(text + "=12", 8)->gpus == 2);
        CHECK(parse_slurm_tres(text + "=12", 8)->gpu_milli == 750);
        CHECK(parse_slurm_tres(text + ":a100=4," + text.substr(6) + "=4", 8)->gpu_milli == 500);
    }
    CHECK(parse_slurm_tres("gres/shard=1", 1000)->gpu_milli == 1);
}

TEST_CASE("parts of GPUs that cannot be counted have a problem") {
    const auto unknown = parse_slurm_tres("gres/gpu:a100_9g.5gb=1");
    CHECK(unknown->problem == "not a MIG profile of NVIDIA's table");
    CHECK(unknown->why == "a100_9g.5gb");
    const auto shards = parse_slurm_tres("gres/shard=4");
    CHECK(shards->problem == "gres/shard is a part of a GPU");
    CHECK(shards->suggestion == "this job has 4; say how many a GPU has: `shards_per_gpu`, or "
                                "--shards-per-gpu");
    for (const char* const text : {"gres/gpu:a100=1,gres/gpu:a100_1g.5gb=1,gres/gpu=2",
                                   "gres/gpu:a100_1g.5gb=1,gres/gpu:a100_2g.10gb=1",
                                   "gres/gpu=1,gres/shard=4"}) {
        CAPTURE(text);
        CHECK(parse_slurm_tres(text, 8)->problem == "a job with GPUs of several sizes");
    }
}

TEST_CASE("generic resources of old versions of Slurm") {
    CHECK(parse_slurm_gres("gpu:2")->gpus == 2);
    CHECK(parse_slurm_gres("gpu")->gpus == 1);
    CHECK(parse_slurm_gres("gpu:a100:2,craynetwork:1")->gpus == 2);
    CHECK(parse_slurm_gres("gpu:a100")->gpu_types == std::vector<std::string>{"a100"});
    CHECK(parse_slurm_gres("gres:gpu:v100:2(IDX:0-1)")->gpus == 2);
    CHECK(parse_slurm_gres("7696487:4")->gpus ==
          4); // the number of the plugin in place of its name
    CHECK(parse_slurm_gres("gpu:a100_3g.20gb:1")->gpu_milli == 500);
    CHECK(parse_slurm_gres("shard:2", 4)->gpu_milli == 500);
    CHECK(parse_slurm_gres("")->gpus == 0);
    CHECK_FALSE(parse_slurm_gres("gpu:a100:two"));
    CHECK_FALSE(parse_slurm_gres(","));
}

TEST_CASE("texts that are no list of resources") {
    for (const std::string_view text :
         {"cpu", "cpu=", "cpu=x", "gres/gpu=-1", "gres/gpu:a100=two", "mem=1X", ",", "8"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_slurm_tres(text));
    }
}

} // namespace bursar::slurm_tres_test
