#include <limits>

#include <doctest/doctest.h>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/variants/variants.hpp"

namespace bursar::variants_test {
namespace {

using Texts = std::vector<std::string>;

std::string refusal(const Texts& varied) {
    try {
        std::vector<Axis> axes;
        for (const std::string& text : varied)
            axes.push_back(parse_axis(text));
        static_cast<void>(all_variants(axes));
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("values are separated by commas outside brackets and quotes") {
    const Axis axis =
        parse_axis(R"(policy.queue=fifo, {name: las, levels: [1 gpu-h, 2 gpu-h]} ,"a,b",'[',it's)");
    CHECK(axis.path == "policy.queue");
    CHECK(axis.values ==
          Texts{"fifo", "{name: las, levels: [1 gpu-h, 2 gpu-h]}", "\"a,b\"", "'['", "it's"});
    CHECK(parse_axis("name=a=b").values == Texts{"a=b"});
}

TEST_CASE("every combination is a variant, the first values are the base") {
    const std::vector<Axis> axes{parse_axis("policy.queue=fifo,{name: las, by: time}"),
                                 parse_axis("policy.head=block,skip")};
    const std::vector<Variant> variants = all_variants(axes);
    Texts labels;
    for (const Variant& variant : variants)
        labels.push_back(variant.label);
    CHECK(labels ==
          Texts{"fifo, block", "fifo, skip", "las, by: time, block", "las, by: time, skip"});
    REQUIRE(variants[3].sets.size() == 2);
    CHECK(variants[3].sets[0].path == "policy.queue");
    CHECK(variants[3].sets[0].value == "{name: las, by: time}");
    CHECK(variants[3].sets[0].origin == "--vary 1");
    CHECK(variants[3].sets[1].value == "skip");
    CHECK(variants[3].sets[1].origin == "--vary 2");
}

TEST_CASE("paths that change together are one axis") {
    const std::vector<Axis> axes{parse_axis("fleet.a.nodes=1,2; fleet.b.nodes=8..9:1"),
                                 parse_axis("policy.queue=fifo,sjf")};
    const std::vector<Variant> variants = all_variants(axes);
    REQUIRE(variants.size() == 4);
    CHECK(variants[2].label == "2, 9, fifo");
    CHECK(variants[2].sets[1].path == "fleet.b.nodes");
    CHECK(variants[2].sets[1].origin == "--vary 1");
    CHECK(refusal({"a=1,2; b=3"}) ==
          "--vary: b: 1 values, where a has 2 (paths that change together have equally many)");
    CHECK(refusal({"a=1,2; b=3,4", "b=5,6"}) ==
          "--vary: b: is varied twice (one --vary gives all values of a path)");
    CHECK(refusal({"a=1,2;"}) == "--vary: \"\" is not PATH=V1,V2,...");
}

TEST_CASE("combinations are numbered, the last axis changing fastest") {
    const VariantGrid grid{
        {parse_axis("a=1..3:1"), parse_axis("b=x,y; c=u,v"), parse_axis("d=1..5:1")}};
    CHECK(grid.size() == 30);
    CHECK(grid.at(0).label == "1, x, u, 1");
    CHECK(grid.at(1).label == "1, x, u, 2");
    CHECK(grid.at(5).label == "1, y, v, 1");
    CHECK(grid.at(29).label == "3, y, v, 5");
    CHECK(grid.at(29).sets[2].path == "c");
    CHECK(grid.at(29).sets[2].origin == "--vary 2");
    std::vector<Axis> many;
    for (const char* path : {"a", "b", "c", "d"})
        many.push_back(parse_axis(std::string{path} + "=1..1000000:1"));
    CHECK(VariantGrid{many}.size() == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("values that cannot be varied are reported") {
    CHECK(refusal({"policy.queue"}) == "--vary: \"policy.queue\" is not PATH=V1,V2,...");
    CHECK(refusal({"=a,b"}) == "--vary: \"=a,b\" is not PATH=V1,V2,...");
    CHECK(refusal({"a=b,,c"}) == "--vary: a: an empty value (values stand between commas)");
    CHECK(refusal({"a={b,c"}) == "--vary: a: brackets or quotes that do not match ({b,c)");
    CHECK(refusal({"a=b},c"}) == "--vary: a: brackets or quotes that do not match (b},c)");
    CHECK(refusal({"a=[b},c"}) == "--vary: a: brackets or quotes that do not match ([b},c)");
    CHECK(refusal({"a=b"}) == "--vary: nothing to compare (a path needs two values or more)");
    CHECK(refusal({"a=b,c", "a=d,e"}) ==
          "--vary: a: is varied twice (one --vary gives all values of a path)");
    for (const auto& [first, second] : {std::pair{"fleet.p=x,y", "fleet.p.nodes=1,2"},
                                        std::pair{"fleet.p.nodes=1,2", "fleet.p=x,y"},
                                        std::pair{"fleet[0].nodes=1,2", "fleet.0=x,y"},
                                        std::pair{"fleet[0].nodes=1,2", "fleet.0.nodes=3,4"}})
        CHECK(refusal({first, second}).find(": overlaps with \"fleet") != std::string::npos);
    CHECK(refusal({"fleet.p=x,y", "fleet.pq=1,2"}).empty());
    std::string many = "a=0";
    for (int i = 1; i < 40; ++i)
        many += "," + std::to_string(i);
    CHECK(refusal({many, "b" + many.substr(1)}) ==
          "--vary: b: too many combinations (at most 1000 are compared)");
}

TEST_CASE("variants take other labels, one for each") {
    std::vector<Variant> variants =
        all_variants(std::vector{parse_axis("fleet.p.nodes=60..80:10")});
    label_variants(variants, Texts{"now", "'more, owned'", "it's too many"});
    CHECK(variants[0].label == "now");
    CHECK(variants[1].label == "more, owned");
    CHECK(variants[1].sets.front().value == "70");
    CHECK(variants[2].label == "it's too many");
    const auto refused = [&](const Texts& labels) -> std::string {
        try {
            label_variants(variants, labels);
        } catch (const ScenarioError& error) {
            return error.what();
        }
        return {};
    };
    variants = all_variants(std::vector{parse_axis("fleet.p.nodes=60..80:10")});
    CHECK(refused({"a"}) == "--labels: 1 label for 3 variants (one for each, in their order: the "
                            "first is \"60\", the last is \"80\")");
    CHECK(refused({"a", "b", "a"}) ==
          "--labels: \"a\" comes twice (labels of variants must differ)");
    CHECK(refused({"a", "' '", "c"}) == "--labels: an empty label (labels stand between commas)");
}

} // namespace bursar::variants_test
