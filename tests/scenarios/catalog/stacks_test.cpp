#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "scenarios/catalog/stacks.hpp"

#include "tests/properties.hpp"

namespace bursar::stacks_test {
namespace {

std::string refusal(const std::string& text) {
    try {
        read_stacks_text(text, "own.yaml");
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return "accepted";
}

void check_equal(const StackProfile& read, const StackProfile& written) {
    CHECK(read.name == written.name);
    CHECK(read.frameworks == written.frameworks);
    CHECK(read.source == written.source);
    CHECK(read.held_out_error == written.held_out_error);
    REQUIRE(read.fitted_on.size() == written.fitted_on.size());
    for (std::size_t i = 0; i < read.fitted_on.size(); ++i) {
        CHECK(read.fitted_on[i].source == written.fitted_on[i].source);
        CHECK(read.fitted_on[i].rows == written.fitted_on[i].rows);
    }
    for (const ProfileConstant& constant : profile_constants()) {
        CAPTURE(constant.name);
        CHECK(constant.get(read) == constant.get(written));
    }
}

} // namespace

TEST_CASE("the built-in profiles are read, and each framework has one of them") {
    const Stacks& stacks = builtin_stacks();
    for (const char* name : {"megatron-core-h100",
                             "megatron-deepspeed-2022",
                             "megatron-deepspeed-bloom",
                             "megatron-lm-2021",
                             "megatron-lm-2022-sp",
                             "fsdp-flash",
                             "torchtitan",
                             "torchtitan-async-tp",
                             "composer",
                             "composer-h100",
                             "deepspeed-zero3",
                             "internevo",
                             "maxtext"}) {
        CAPTURE(name);
        REQUIRE(stacks.find(name) != nullptr);
        CHECK(stacks.find(name)->name == name);
    }
    for (const StackProfile& profile : stacks.all) {
        CHECK_FALSE(profile.source.empty());
        // No run outside its fit was held against this one, so that it has no such error.
        CHECK(profile.held_out_error.has_value() == (profile.name != "deepspeed-zero3"));
        for (const std::string& framework : profile.frameworks)
            CHECK(stacks.for_framework(framework) == &profile);
    }
    CHECK(stacks.for_framework("deepspeed zero-3") == stacks.find("deepspeed-zero3"));
    CHECK(stacks.find("megatron") == nullptr);
    CHECK(stacks.for_framework("no such framework") == nullptr);
}

TEST_CASE("the built-in profiles are read back as they were written") {
    const Stacks& stacks = builtin_stacks();
    const Stacks again = read_stacks_text(stacks_yaml(stacks), "written.yaml");
    REQUIRE(again.all.size() == stacks.all.size());
    for (std::size_t i = 0; i < again.all.size(); ++i)
        check_equal(again.all[i], stacks.all[i]);
}

TEST_CASE("any constants within their bounds are read back to the last bit, under any name") {
    CHECK(check_property([] {
        StackProfile profile;
        profile.name = "own";
        profile.source = drawn::one_of<std::string>(
            "a \"quoted\" # source: x", "line\nbreak\tand \\ tab", "- 'yes'", "{a: b}", "60 s");
        profile.frameworks = {"Megatron-LM, 2021", ": #"};
        profile.fitted_on = {{"Narayanan et al. 2021: Table 1", {"a: \"b\"-01..09", "x"}},
                             {"all of it", {}}};
        if (drawn::boolean())
            profile.held_out_error = drawn::in_range(0, 10'000) / 7e3;
        for (const ProfileConstant& constant : profile_constants()) {
            const double share = drawn::in_range(0, 1'000'001) / 1e6;
            constant.set(profile, constant.min + share * (constant.max - constant.min));
        }
        check_equal(read_stacks_text(stacks_yaml({{profile}}), "w.yaml").all.at(0), profile);
    }));
}

TEST_CASE("constants outside their physical bounds are refused with their place") {
    for (const ProfileConstant& constant : profile_constants()) {
        CAPTURE(constant.name);
        const std::string text = "stacks:\n  - name: x\n    source: s\n    constants:\n      " +
                                 fmt::format("{}: {}\n", constant.name, 2 * constant.max);
        CHECK(refusal(text).find("own.yaml:5:") == 0);
        CHECK(refusal(text).find("is too large (at most") != std::string::npos);
    }
    CHECK(refusal("stacks:\n  - name: x\n    source: s\n    constants: {gemm_efficiency: -1}\n") ==
          "own.yaml:4:34: stacks.x.constants.gemm_efficiency: \"-1\" is too small (at least 0.3)");
}

TEST_CASE("mistakes in a file of profiles are reported in one pass") {
    CHECK(refusal("stacks:\n"
                  "  - {name: x, source: s, constants: {gem_efficiency: 0.5}}\n"
                  "  - {name: x, fitted_on: [{source: a, rows: odd}]}\n") ==
          "own.yaml:2:38: stacks.x.constants.gem_efficiency: unknown key; did you mean "
          "\"gemm_efficiency\"?\n"
          "own.yaml:3:5: stacks.x.source: missing (how its constants were found)\n"
          "own.yaml:3:12: stacks.x.name: duplicate name (names and aliases are unique)\n"
          "own.yaml:3:45: stacks.x.fitted_on[0].rows: expected a list, found \"odd\"");
    CHECK(refusal("stacks: [{name: x, source: s, held_out_error: -0.1}]\n") ==
          "own.yaml:1:47: stacks.x.held_out_error: \"-0.1\" is too small (at least 0)");
    CHECK(refusal("stacks: []\n").find("at least 1") != std::string::npos);
    CHECK(refusal("[]").find("expected a mapping") != std::string::npos);
    CHECK_THROWS_AS(read_stacks("no/such/file.yaml"), ScenarioError);
}

} // namespace bursar::stacks_test
