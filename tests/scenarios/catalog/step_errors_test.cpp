#include <doctest/doctest.h>

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/catalog/step_errors.hpp"

namespace bursar::test::step_errors_test {
namespace {

/// A network of 7e9 parameters on 64 A100 under Composer, which was fitted on such.
AskedStep near() {
    return {.stack = "composer",
            .is_stack_known = true,
            .held_out_error = 0.08,
            .gpu = "A100-SXM4-40GB",
            .gpus = 64,
            .parameters = 7e9,
            .sequence = 2048};
}

Distance distance(const AskedStep& asked) {
    return distance_of(asked, builtin_step_errors());
}

} // namespace

TEST_CASE("a job is as far as the farthest of its facts") {
    CHECK(distance(near()) == Distance::measured);
    AskedStep asked = near();
    asked.gpu = "H100-SXM5-80GB";
    CHECK(distance(asked) == Distance::other_gpu);
    asked.gpus = 4096;
    CHECK(distance(asked) == Distance::beyond_sizes);
    asked.is_stack_known = false;
    CHECK(distance(asked) == Distance::nearest_stack);
    asked.gpu = "MI300X";
    CHECK(distance(asked) == Distance::other_family);
    asked.is_mixture = true;
    CHECK(distance(asked) == Distance::mixture);
}

TEST_CASE("sizes within twice those of the rows are measured ones") {
    const MeasuredStack* composer = nullptr;
    for (const MeasuredStack& stack : builtin_step_errors().stacks)
        composer = stack.name == "composer" ? &stack : composer;
    REQUIRE(composer != nullptr);
    AskedStep asked = near();
    asked.sequence = 2 * composer->sequence.max;
    CHECK(distance(asked) == Distance::measured);
    asked.sequence *= 1.01;
    CHECK(distance(asked) == Distance::beyond_sizes);
}

TEST_CASE("a known stack is not said to be unknown, and has the error of its profile") {
    AskedStep asked = near();
    asked.stack = "deepspeed-zero3"; // no measured run outside its fit
    asked.held_out_error = 0.2;
    CHECK(step_error(asked).why == "held-out error of the profile");
    CHECK(step_error(asked).range.low < 0.9);
    asked.held_out_error.reset();
    CHECK(step_error(asked).why.starts_with("no run outside its fit was held against this stack;"));
    asked.is_stack_known = false;
    CHECK(step_error(asked).why.starts_with("the stack is not known: the nearest one;"));
}

TEST_CASE("memory sizes and modules of one chip are one GPU") {
    CHECK(chip_of("A100-SXM4-80GB") == "A100");
    CHECK(chip_of("GB200") == chip_of("B200-SXM"));
    CHECK(chip_of("GH200-96GB") == chip_of("H100-PCIe-80GB"));
    CHECK(chip_of("GB300") != chip_of("GB200"));
}

TEST_CASE("every distance has a range with 1 in it, mixtures too") {
    const ErrorRange nearest = builtin_step_errors().find("measured")->range();
    for (const std::string_view name : distance_names) {
        CAPTURE(name);
        const NamedRange* range = builtin_step_errors().find(name);
        REQUIRE(range != nullptr);
        CHECK(range->low <= 1);
        CHECK(range->high >= 1);
        CHECK(range->low < range->high);
        CHECK(united(range->range(), nearest) == range->range()); // none is surer than measured
    }
    CHECK(layout_quotient(false).high > 1);
    CHECK(layout_quotient(true).high > 1);
}

TEST_CASE("a profile of a user's file has the range of its held-out error, or a wider one") {
    AskedStep asked = near();
    asked.stack = "mine";
    asked.held_out_error = 0.5;
    CHECK(step_error(asked).range.high == doctest::Approx(1.805));
    asked.held_out_error = 0;
    CHECK(step_error(asked).range == step_error(near()).range);
    asked.held_out_error.reset();
    CHECK(step_error(asked).distance == Distance::nearest_stack);
}

TEST_CASE("a file of ranges is read back as it was written") {
    const StepErrors& errors = builtin_step_errors();
    const StepErrors read = read_step_errors_text(step_errors_yaml(errors), "e.yaml");
    CHECK(read.ranges == errors.ranges);
    CHECK(read.stacks == errors.stacks);
    for (const MeasuredStack& stack : errors.stacks)
        CHECK(builtin_stacks().find(stack.name) != nullptr);
}

TEST_CASE("a distance without rows has the range of the next farther one") {
    StepErrors errors{{}, {{"nearest-stack", 0.7, 1.5, 9, 3}, {"mixture", 0.5, 2, 9, 3}}};
    AskedStep asked = near();
    asked.held_out_error.reset();
    CHECK(step_error(asked, errors).range == ErrorRange{0.5, 2}); // other-family
    errors.stacks.push_back({"composer", {"A100"}, {1, 64}, {7e9, 7e9}, {2048, 2048}});
    CHECK(step_error(asked, errors).range == ErrorRange{0.7, 1.5});
}

} // namespace bursar::test::step_errors_test
