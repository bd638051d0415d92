#include <doctest/doctest.h>

#include "scenarios/catalog/stacks.hpp"

namespace bursar::choose_stack_test {
namespace {

std::string chosen(const StackClues& clues) {
    return choose_stack(builtin_stacks(), clues).profile->name;
}

} // namespace

TEST_CASE("a stack is chosen from the job's facts, with a reason") {
    CHECK(chosen({.is_searched = true}) == "megatron-core-h100");
    CHECK(chosen({.layout = {.tensor = 8}}) == "megatron-core-h100");
    CHECK(chosen({.layout = {.pipeline = 4}, .attention = Attention::unfused}) ==
          "megatron-lm-2021");
    CHECK(chosen({.layout = {.tensor = 8, .sequence_parallel = true},
                  .attention = Attention::unfused}) == "megatron-lm-2022-sp");
    CHECK(chosen({.layout = {.sharding = Sharding::zero3}}) == "torchtitan");
    CHECK(chosen({.framework = "deepspeed", .layout = {.sharding = Sharding::zero3}}) ==
          "deepspeed-zero3");
    CHECK(chosen({.framework = "zero-3", .layout = {.sharding = Sharding::zero3}}) ==
          "deepspeed-zero3");
    CHECK(chosen({.framework = "zero-3",
                  .is_searched = true,
                  .layout = {.sharding = Sharding::zero3}}) == "deepspeed-zero3");
    CHECK(choose_stack(builtin_stacks(), {.framework = "deepspeed", .is_searched = true})
              .why.find("DeepSpeed profile is of ZeRO-3 alone") != std::string::npos);
    CHECK(chosen({.framework = "jax"}) == "maxtext");
    CHECK(chosen({.framework = "composer/fsdp"}) == "composer");
    CHECK(chosen({.framework = "torchtitan compile asynctp"}) == "torchtitan-async-tp");
    CHECK(chosen({.framework = "pytorch"}) == "torchtitan");
    CHECK(chosen({}) == "fsdp-flash");
    CHECK(chosen({.is_transformer = false, .is_searched = true}) == "fsdp-flash");
    CHECK(chosen({.framework = "nemo"}) == "megatron-core-h100");
    CHECK(chosen({.framework = "deepspeed", .attention = Attention::unfused}) ==
          "megatron-deepspeed-2022");
    for (const StackClues& clues : {StackClues{},
                                    StackClues{.is_searched = true},
                                    StackClues{.is_transformer = false},
                                    StackClues{.attention = Attention::unfused}})
        CHECK_FALSE(choose_stack(builtin_stacks(), clues).why.empty());
}

TEST_CASE("from a file without the nearest profile, the first is taken") {
    const Stacks own = read_stacks_text("stacks:\n"
                                        "  - {name: a, source: s}\n"
                                        "  - {name: fsdp-flash, source: s}\n",
                                        "own.yaml");
    const StackChoice first = choose_stack(own, {.is_searched = true});
    CHECK(first.profile == own.all.data());
    CHECK(first.why == "it is the first of the catalogue given");
    CHECK(choose_stack(own, {}).profile->name == "fsdp-flash");
}

} // namespace bursar::choose_stack_test
