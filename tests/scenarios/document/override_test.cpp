#include <doctest/doctest.h>

#include "scenarios/document/load_document.hpp"
#include "scenarios/document/override.hpp"

namespace bursar::override_test {
namespace {

constexpr std::string_view document = "policy: {queue: fifo}\n"
                                      "fleet:\n"
                                      "  - {pool: owned, nodes: 1}\n"
                                      "  - {pool: aws-spot, nodes: 2}\n"
                                      "empty:\n";

struct Result {
    Node root;
    std::vector<std::string> mistakes;
};

Result changed(const std::vector<std::string>& texts) {
    Findings findings;
    std::vector<Override> sets;
    for (const std::string& text : texts)
        sets.push_back(parse_override(text));
    Node root =
        with_overrides(DocumentLoader{findings}.load_text(document, "a.yaml"), sets, findings);
    Result result{std::move(root), {}};
    for (const Finding& finding : findings.sorted())
        result.mistakes.push_back(finding.text());
    return result;
}

} // namespace

TEST_CASE("a path addresses keys, pools by name, and elements by index") {
    for (const std::string path :
         {"fleet.aws-spot.nodes", "fleet[1].nodes", "fleet.1.nodes", "fleet[aws-spot].nodes"}) {
        CAPTURE(path);
        const Result result = changed({path + "=7"});
        CHECK(result.mistakes.empty());
        CHECK(result.root.find("fleet")->items[1].find("nodes")->text == "7");
        CHECK(result.root.find("fleet")->items[0].find("nodes")->text == "1");
    }
}

TEST_CASE("the value is YAML, the last change wins, and missing mappings are made") {
    const Result result = changed({"policy.queue=sjf",
                                   "policy.queue=srtf",
                                   "measure.from=7 d",
                                   "empty.a=[1, {b: =}]",
                                   "fleet[0]={pool: new}"});
    CHECK(result.mistakes.empty());
    CHECK(result.root.find("policy")->find("queue")->text == "srtf");
    CHECK(result.root.find("measure")->find("from")->text == "7 d");
    CHECK(result.root.find("empty")->find("a")->items.at(1).find("b")->text == "=");
    CHECK(element_label(result.root.find("fleet")->items[0]) == "new");
    CHECK(result.root.find("policy")->find("queue")->place().file == "--set 2");
    CHECK(result.root.find("policy")->find("queue")->place().line == 0);
}

TEST_CASE("an empty value removes a key or an element of a list") {
    const Result result = changed({"policy.queue=", "fleet.owned=", "empty="});
    CHECK(result.mistakes.empty());
    CHECK(result.root.find("policy")->pairs.empty());
    REQUIRE(result.root.find("fleet")->items.size() == 1);
    CHECK(element_label(result.root.find("fleet")->items[0]) == "aws-spot");
    CHECK(result.root.find("empty") == nullptr);
    CHECK(changed({"fleet[1].nodes=", "policy="}).root.find("policy") == nullptr);
    const Result again = changed({"policy.queue=", "policy.queue=sjf"});
    CHECK(again.mistakes.empty());
    CHECK(again.root.find("policy")->find("queue")->text == "sjf");
}

TEST_CASE("a missing key cannot be removed, and no mapping is made for it") {
    CHECK(changed({"policy.queeu="}).mistakes ==
          std::vector<std::string>{"--set 1: policy.queeu: \"queeu\" is not set, so it cannot be "
                                   "removed; did you mean \"queue\"?"});
    const Result deep = changed({"measure.from="});
    CHECK(deep.mistakes ==
          std::vector<std::string>{
              "--set 1: measure.from: \"measure\" is not set, so it cannot be removed"});
    CHECK(deep.root.find("measure") == nullptr);
    CHECK(changed({"fleet.aws="}).mistakes.size() == 1);
    CHECK(changed({"fleet[2]="}).mistakes.size() == 1);
    CHECK(changed({"policy.queue.by="}).mistakes.size() == 1);
}

TEST_CASE("a path into the options of a policy expands its short name") {
    const Result result = changed({"policy.queue.by=time", "policy.queue.levels=[1, 2]"});
    CHECK(result.mistakes.empty());
    const Node* queue = result.root.find("policy")->find("queue");
    CHECK(queue->find("name")->text == "fifo");
    CHECK(queue->find("name")->place().file == "a.yaml");
    CHECK(queue->find("by")->text == "time");
    CHECK(queue->find("levels")->items.size() == 2);
}

TEST_CASE("a path to an unknown place is a mistake that names the last known part") {
    const std::pair<std::string, std::string> cases[] = {
        {"fleet.aws.nodes=1",
         "--set 1: fleet.aws.nodes: no element is named \"aws\"; did you mean \"aws-spot\"?"},
        {"fleet[2].nodes=1", "--set 1: fleet[2].nodes: there is no element \"2\" (the list has 2)"},
        {"fleet.owned.nodes.x=1",
         "--set 1: fleet.owned.nodes.x: \"x\" cannot be reached (its parent is "
         "\"1\")"},
        {"policy..queue=1",
         "--set 1: \"policy..queue\" is not a path (a path is like \"policy.queue\" or "
         "\"fleet.POOL.nodes\", of at most 100 steps)"},
        {"policy.queue=[", "--set 1: policy.queue: not YAML (end of sequence flow not found)"},
    };
    for (const auto& [set, message] : cases)
        CHECK(changed({set}).mistakes == std::vector<std::string>{message});
    for (const std::string set :
         {"fleet[.nodes=1", "fleet[]=1", "a.=1", "[0]=1", "a[0]b=1", ".=1"}) {
        CAPTURE(set);
        CHECK(changed({set}).mistakes.size() == 1);
    }
    for (const std::string step : {".a", "[0]"}) {
        std::string path = "a";
        for (int n = 0; n < 30'000; ++n)
            path += step;
        CHECK(changed({path + "=1"}).mistakes.size() == 1);
    }
    CHECK_THROWS_AS(parse_override("policy.queue"), ScenarioError);
    CHECK_THROWS_AS(parse_override("=3"), ScenarioError);
}

} // namespace bursar::override_test
