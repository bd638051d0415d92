#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "scenarios/document/parse_document.hpp"
#include "scenarios/keys/read_scenario.hpp"
#include "scenarios/keys/scenario_keys.hpp"
#include "scenarios/reader/number_rules.hpp"

#include "tests/places.hpp"
#include "tests/properties.hpp"
#include "tests/scenarios/keys/mutate_document.hpp"
#include "tests/scenarios/scenario/test_names.hpp"

namespace bursar::scenario_schema_test {
namespace {

using nlohmann::json;

/// A document as the JSON that YAML tools give to a schema.
json as_json(const Node& node) {
    switch (node.kind) {
    case NodeKind::null:
        return nullptr;
    case NodeKind::scalar:
        if (is_json_word(node) && json::accept(node.text))
            return json::parse(node.text);
        return node.text;
    case NodeKind::sequence: {
        json list = json::array();
        for (const Node& item : node.items)
            list.push_back(as_json(item));
        return list;
    }
    case NodeKind::mapping: {
        json map = json::object();
        for (const Pair& pair : node.pairs)
            map[pair.key.text] = as_json(pair.value);
        return map;
    }
    }
    return nullptr;
}

const Catalogue& catalogue() {
    static const Catalogue builtin = builtin_catalogue();
    return builtin;
}

bool schema_accepts(const std::string& text) {
    static const std::unique_ptr<valijson::Schema> schema = [] {
        auto parsed = std::make_unique<valijson::Schema>();
        const json document = json::parse(scenario_schema(test::known_names(), catalogue()));
        valijson::SchemaParser{valijson::SchemaParser::kDraft7}.populateSchema(
            valijson::adapters::NlohmannJsonAdapter{document}, *parsed);
        return parsed;
    }();
    const auto source = std::make_shared<const Source>(Source{"s.yaml", {}, 0, true});
    const json document = as_json(parse_document(text, source));
    // Strong types: a text that looks like a number is a text.
    return valijson::Validator{valijson::Validator::kStrongTypes}.validate(
        *schema, valijson::adapters::NlohmannJsonAdapter{document}, nullptr);
}

/// Checks of the Reader that a schema cannot express: across keys, and of converted quantities.
constexpr std::array semantic_problems{
    "duplicate name",                // names are unique
    "no pool is named",              // class pools exist
    "the last class has no match",   // order of classes
    "only for purchase",             // keys of one purchase
    "has no effect without power",   // pue, electricity, colo without power
    "too short to depreciate over",  // life below an hour
    "is an empty range",             // a count range from large to small
    "the measured time",             // measure.to against from and until
    "nothing is measured",           // measure.from against until
    "no pool has nodes",             // all are switched off
    "cannot read the file",          // of a network or a stack
    "the range is empty",            // select.to against from
    "duplicate key",                 // gone once a document is JSON
    "is too large to be counted",    // a quantity past int64
    "exceeds the limit",             // what the owned cost formula takes
    "rounds to zero",                // a quantity too small to be counted
    "has too many decimals",         // beyond the thousandths of pue
    "a count above 1 needs `every`", // of listed jobs
    "the last job would be",         // submitted past the horizon
    "without a model",               // keys of training
    "a model needs",                 // a goal and a batch
    "epochs need a dataset",         // and
    "has no effect without epochs",  // vice versa
    "only for transformers",         // keys that a number of FLOP does not have
    "counts tokens",                 // where samples are no sequences
    "need each other",               // cache and cache_hit, size and write
    "do not divide",                 // heads of a transformer
    "experts per token",             // more than there are
    "is not above the value",        // of a list of limits
    "has no effect",                 // of an option with some choice, of every without a count
    "no name is written",            // and the default policy has no such option
    "has no duration of a save",     // neither save nor size
    "has no head",                   // backfill with some other slots
    "is no time zone",               // by the machine's database
};

bool is_semantic(const Finding& finding) {
    const bool order_of_classes = finding.path.ends_with(".match") && finding.problem == "missing";
    const bool gpu_name = // of the run's catalogue
        finding.path.ends_with(".gpu") && finding.problem.starts_with("unknown name");
    return order_of_classes || gpu_name ||
           std::ranges::any_of(semantic_problems, [&](const char* problem) {
               return finding.problem.find(problem) != std::string::npos;
           });
}

struct Verdict {
    bool structural_ok{};
    std::string text;
};

Verdict reader_verdict(const std::string& text) {
    try {
        read_scenario_text(text, "s.yaml", {}, test::known_names(), catalogue());
    } catch (const ScenarioError& error) {
        return {std::ranges::all_of(error.findings(), is_semantic), error.what()};
    }
    return {true, {}};
}

/// The fixture of all keys, with policies that have options of every kind.
std::string all_keys_text() {
    std::ifstream in{source_file("tests/fuzz/corpus/scenario/all_keys.yaml")};
    std::string text{std::istreambuf_iterator<char>{in}, {}};
    const std::string queue = "queue: sjf,";
    return text.replace(text.find(queue),
                        queue.size(),
                        "preset: peer, queue: {name: aging, after: 90 s, weight: 1.5, steps: 2},");
}

const std::string good = all_keys_text();

} // namespace

TEST_CASE("the schema names its draft and describes every key") {
    const auto schema =
        nlohmann::ordered_json::parse(scenario_schema(test::known_names(), catalogue()));
    CHECK(schema["$schema"] == "http://json-schema.org/draft-07/schema#");
    CHECK(schema["additionalProperties"] == false);
    for (const auto& [key, property] : schema["properties"].items())
        CHECK_FALSE(property["description"].get<std::string>().empty());
    const auto& queue = schema["properties"]["policy"]["properties"]["queue"]["anyOf"];
    CHECK(queue[0]["anyOf"][0]["enum"] == nlohmann::ordered_json({"fifo", "sjf", "las", "aging"}));
    CHECK(queue[3]["properties"]["by"]["anyOf"][0]["enum"] ==
          nlohmann::ordered_json({"gpu-time", "time"}));
}

TEST_CASE("schema and Reader accept and refuse the same documents") {
    CHECK(schema_accepts(good));
    CHECK(reader_verdict(good).text.empty());
    const auto replaced = [](std::string_view from, std::string_view to) {
        std::string text = good;
        const std::size_t at = text.find(from);
        REQUIRE(at != std::string::npos);
        return text.replace(at, from.size(), to);
    };
    const std::pair<std::string_view, std::string_view> bad[] = {
        {"bursar: 1", "bursar: 2"},
        {"bursar: 1\n", ""},
        {"name: all keys", "name: [a]"},
        {"name: all keys", "nmae: a"},
        {"file: jobs.csv", "fil: x"},
        {"format: csv", "format: cvs"},
        {"{submit: t}", "{submit: [t]}"},
        {"1..32", "1...32"},
        {"first: 9", "first: 0"},
        {"load: 1.5", "load: 0"},
        {"on_bad_row: skip", "on_bad_row: skipp"},
        {"90 s", "90"},
        {"90 s", "90 sec"},
        {"30 s", "-30 s"},
        {"pools: [a]", "pools: []"},
        {"purchase: spot", "purchase: x"},
        {"gpu: V100-SXM2-16GB", "gpu: ~"},
        {"gpu: V100-SXM2-16GB", "gpu: ''"},
        {"nodes: 2", "nodes: -1"},
        {"nodes: 2", "nodes: 16.."},
        {"nodes: 2", "nodes: '2'"},
        {"nodes: 2", "nodes: 2.0"},
        {"price: 7.60 USD/node-h, ", ""},
        {"term: 1 y", "owned: {capex: 1 USD/gpu, life: 1 y}"},
        {"pool: b", "pool: B"},
        {"pool: b", "pool: 42"},
        {"granularity: 1 min", "granularity: 0 min"},
        {"pue: 1.3", "pue: 0.9"},
        {"capex: 8000 USD/gpu", "capex: 8000 USD"},
        {"every: 15 min", "every: 0 min"},
        {"write: 5 GB/s", "write: 5 GB"},
        {"mode: sync", "mode: asink"},
        {"restart: 40 s", "restart: 40"},
        {"preset: peer", "preset: pear"},
        {"{name: aging,", "{name: ageing,"},
        {"after: 90 s", "after: 90"},
        {"after: 90 s", "befor: 90 s"},
        {"after: 90 s", "levels: [1 gpu-s]"},
        {"weight: 1.5", "weight: 2.6"},
        {"steps: 2", "steps: 0"},
        {"backfill: none", "backfill: ~"},
        {"rounds: 6 min", "rounds: 0 min"},
        {"until: 90 d", "until: 0 d"},
        {"seeds: 1", "seeds: 1.5"},
        {"measure: {", "measure: [] #{"},
        {"  trace:\n", "  synthetic: {like: pai, jobs: 1, gpus: 1}\n  trace:\n"},
        {"tenants: [6214e9, b]", "tenants: a, tenant: b"},
        {"model: gpt-175b", "model: gpt-175"},
        {"model: gpt-175b", "model: {name: gpt}"},
        {"steps: 10", "steps: 10, tokens: 1 Gtokens"},
        {"300 Gtokens", "300"},
        {"300 Gtokens", "300 GB"},
        {"1536 sequences", "1536"},
        {"tensor: 8", "tensor: 0"},
        {"sharding: zero1", "sharding: zero4"},
        {"sequence_parallel: yes", "sequence_parallel: 1"},
        {"purchase: spot", "purchase: -spot"},
        {"parallelism: auto", "parallelism: automatic"},
        {"storage: 2 GB/s", "storage: 2 GB"},
        {"cache_hit: 0.5", "cache_hit: 1.5"},
        {"precision: fp16", "precision: fp12"},
        {"attention: unfused", "atention: unfused"},
        {"network: 100 Gbit/s", "network: 0 Gbit/s"},
    };
    for (const auto& [from, to] : bad) {
        CAPTURE(to);
        const std::string text = replaced(from, to);
        CHECK_FALSE(schema_accepts(text));
        CHECK_FALSE(reader_verdict(text).structural_ok);
    }
    const std::pair<std::string_view, std::string_view> also_good[] = {
        {"name: all keys", "name: 2024"},
        {"tenants: [6214e9, b]", "tenants: 11"},
        {"tenants: [6214e9, b]", "tenant: b"},
        {"1..32", "8"},
        {"90 s", "90s"},
        {"90 s", "'1.5 min'"},
        {"until: 90 d\n", ""},
        {"load: 1.5", "load: 2e-1"},
        {"pool: b", "pool: '42'"},
        {"bursar: 1", "bursar: 1 # version"},
        {"on_bad_row: skip", "on_bad_row: Skip"},
        {"purchase: spot", "purchase: SPOT"},
        {"sharding: zero1", "sharding: ZeRO-1"},
        {"placement: {name: first-fit}", "placement: {name: First_Fit}"},
        {"sequence_parallel: yes", "sequence_parallel: true"},
        {"pinned_memory: yes", "pinned_memory: 'Off'"},
        {"nodes: 2", "nodes: 0"},
    };
    for (const auto& [from, to] : also_good) {
        CAPTURE(to);
        const std::string text = replaced(from, to);
        CHECK(schema_accepts(text));
        CHECK(reader_verdict(text).text.empty());
    }
}

TEST_CASE("schema and Reader agree on listed jobs") {
    const std::string tail = "fleet: [{pool: a, purchase: owned, gpu: H100, nodes: 1, "
                             "gpus_per_node: 8, price: 1 USD/gpu-h}]\n";
    const std::pair<std::string_view, bool> cases[] = {
        {"[{name: a, gpus: 8, duration: 1 h}]", true},
        {"[{name: 7, gpus: 8, submit: 1 d, count: 3, every: 1 h, tenant: t}]", true},
        {"[]", false},
        {"{name: a, gpus: 8}", false},
        {"[{name: a, gpus: 0}]", false},
        {"[{gpus: 8}]", false},
        {"[{name: a, gpus: 8, every: 0 s}]", false},
        {"[{name: a, gpus: 8, submit: 5}]", false},
        {"[{name: a, gpus: 8, lenght: 1 h}]", false},
    };
    for (const auto& [jobs, right] : cases) {
        CAPTURE(jobs);
        const std::string text = "bursar: 1\nworkload: {jobs: " + std::string{jobs} + "}\n" + tail;
        CHECK(schema_accepts(text) == right);
        CHECK(reader_verdict(text).structural_ok == right);
    }
}

TEST_CASE("the examples fit the schema") {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator{source_file("scenarios/examples")}) {
        if (entry.path().extension() != ".yaml")
            continue;
        CAPTURE(entry.path().string());
        std::ifstream in{entry.path()};
        CHECK(schema_accepts({std::istreambuf_iterator<char>{in}, {}}));
    }
}

TEST_CASE("a file with include may leave out keys that merge, and no others") {
    CHECK(schema_accepts("include: a.yaml\n"));
    CHECK(schema_accepts("include: [a.yaml, b.yaml]\nworkload: {trace: {select: {gpus: 8}}}\n"));
    CHECK_FALSE(schema_accepts("name: x\n"));
    CHECK_FALSE(schema_accepts("include: a.yaml\nname: []\n"));
    CHECK_FALSE(schema_accepts("include: a.yaml\nfleet: [{pool: a}]\n")); // replaced as a whole
    CHECK_FALSE(schema_accepts("include: a.yaml\nworkload: {trace: {file: x}, synthetic: {}}\n"));
}

TEST_CASE("the schema accepts GPUs of other catalogues and lists the known ones") {
    std::string text = good;
    text.replace(text.find("V100-SXM2-16GB"), 14, "Z80");
    CHECK(schema_accepts(text));
    CHECK(reader_verdict(text).text.find("unknown name \"Z80\"") != std::string::npos);
    const auto schema =
        nlohmann::ordered_json::parse(scenario_schema(test::known_names(), catalogue()));
    CHECK(schema["properties"]["fleet"]["items"]["properties"]["gpu"]["examples"] ==
          nlohmann::ordered_json(catalogue().names()));
}

TEST_CASE("schema and Reader agree on mutated documents") {
    CHECK(check_property("verdicts agree", [] {
        const auto source = std::make_shared<const Source>(Source{"s.yaml", {}, 0, true});
        Node root = parse_document(good, source);
        const int num_changes = drawn::in_range(1, 4);
        for (int i = 0; i < num_changes; ++i)
            test::mutate(root);
        const std::string text = test::as_yaml(root);
        const Verdict verdict = reader_verdict(text);
        RC_LOG() << text << "\n" << verdict.text << "\n";
        RC_ASSERT(schema_accepts(text) == verdict.structural_ok);
    }));
}

} // namespace bursar::scenario_schema_test
