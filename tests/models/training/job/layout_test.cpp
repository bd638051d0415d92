#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/training/job/layout.hpp"

namespace bursar::layout_test {

TEST_CASE("the text of a layout names its parallel dimensions") {
    Layout layout;
    layout.data = 8;
    CHECK(ranks_text(layout) == "tensor 1 x pipeline 1 x data 8");
    layout.tensor = 4;
    layout.pipeline = 2;
    layout.chunks = 3;
    layout.context = 2;
    layout.expert = 8;
    CHECK(ranks_text(layout) == "tensor 4 x pipeline 2 (3 chunks) x context 2 x data 8 (expert 8)");
}

TEST_CASE("what is recomputed has a text, which names it again") {
    for (const Recomputation& recompute : {Recomputation{},
                                           Recomputation{Recompute::selective},
                                           Recomputation{Recompute::full},
                                           Recomputation{Recompute::operators},
                                           Recomputation{Recompute::full, 2},
                                           Recomputation{Recompute::full, 9'999}})
        CHECK(recompute_named(recompute_text(recompute)) == recompute);
    CHECK(recompute_text({Recompute::full, 3}) == "every 3");
    CHECK(recompute_named("every 1") == Recomputation{Recompute::full});
    for (const char* wrong :
         {"", "every", "every ", "every 0", "every -2", "every 2x", "every 10000"})
        CHECK_FALSE(recompute_named(wrong).has_value());
}

namespace {

Layout ranks(std::int64_t tensor, std::int64_t pipeline) {
    Layout layout;
    layout.tensor = tensor;
    layout.pipeline = pipeline;
    return layout;
}

} // namespace

TEST_CASE("data ranks are the GPUs divided by the ranks of the model") {
    const Layout laid =
        complete_layout(ranks(8, 16), {.gpus = 1024, .micro_batch = 2, .global_batch = 1536});
    CHECK(laid.data == 8);
    CHECK(laid.micro_batch == 2);
    CHECK(laid.micro_batches == 96);
    CHECK(laid.gpus() == 1024);
    CHECK(laid.global_batch() == 1536);
}

TEST_CASE("without a number of GPUs a layout takes one node, or as many as it needs") {
    CHECK(complete_layout(ranks(2, 1), {}).data == 4);
    CHECK(complete_layout(ranks(8, 4), {}).data == 1);
    CHECK(complete_layout(ranks(2, 1), {.data = 3}).gpus() == 6);
}

TEST_CASE("without a batch one pass is made, and eight per stage in a pipeline") {
    CHECK(complete_layout(ranks(2, 1), {.gpus = 8}).micro_batches == 1);
    CHECK(complete_layout(ranks(2, 4), {.gpus = 8}).micro_batches == 32);
}

TEST_CASE("uneven divisions are reported") {
    CHECK_THROWS_WITH_AS((void)complete_layout(ranks(8, 3), {.gpus = 64}),
                         "gpus: 64 are not a multiple of tensor 8 x pipeline 3 x context 1 = 24",
                         ModelError);
    CHECK_THROWS_WITH_AS(
        (void)complete_layout(ranks(8, 2), {.gpus = 64, .data = 8}),
        "data: 8 ranks of tensor 8 x pipeline 2 x context 1 do not make 64 GPUs; 4 would",
        ModelError);
    CHECK_THROWS_WITH_AS(
        (void)complete_layout(ranks(8, 2), {.gpus = 64, .micro_batch = 3, .global_batch = 16}),
        "global_batch: 16 is not a multiple of micro-batch 3 x data 4 = 12",
        ModelError);
}

} // namespace bursar::layout_test
