#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "scenarios/document/parse_document.hpp"
#include "scenarios/keys/scenario_keys.hpp"

#include "tests/tools/program.hpp"
#include "tools/simulate/run_scenario.hpp"
#include "tools/simulate/simulation_error.hpp"

/// Every path of the schema that may be varied changes a run, or is refused. The base scenarios are
/// in varied_paths.yaml, the values come from the schema.
namespace bursar::varied_paths_test {
namespace {

using nlohmann::ordered_json;
using test::read_file;
using test::TemporaryFolder;
using Texts = std::vector<std::string>;

const ordered_json& schema() {
    static const auto parsed =
        ordered_json::parse(scenario_schema(known_names(), builtin_catalogue()));
    return parsed;
}

/// Values of paths whose schema lists none: names of things, files, dates.
const std::map<std::string, Texts>& texts() {
    static const std::map<std::string, Texts> all{
        {"name", {"x"}},
        {"workload.trace.file", {"two_formats.csv", "jobs2.csv"}},
        {"workload.trace.columns", {"d2", "gpus"}},
        {"workload.trace.zone", {"Asia/Tokyo"}},
        {"workload.trace.start", {"2024-04-01T00:00:00Z"}},
        {"workload.trace.select.from", {"2024-03-01 05:00:00"}},
        {"workload.trace.select.to", {"2024-03-01 05:00:00"}},
        {"workload.trace.select.tenant", {"b"}},
        {"workload.trace.select.tenants", {"a", "[b]"}},
        {"workload.trace.select.tenants[]", {"b"}},
        {"workload.synthetic.profiles", {"profiles.yaml"}},
        {"workload.jobs[].name", {"b", "zz"}},
        {"workload.jobs[].tenant", {"z"}},
        {"workload.speeds.file", {"gavel2.json"}},
        {"workload.speeds.gpus", {"P100"}},
        {"workload.jobs[].after", {"c", "e"}},
        {"workload.jobs[].after[]", {"c", "e"}},
        {"workload.jobs[].after_each", {"e"}},
        {"workload.jobs[].after_each[]", {"e"}},
        {"workload.jobs[].trials.metric", {"curves.csv"}},
        {"workload.jobs[].trials.rungs", {"[1, 4, 8]"}},
        {"workload.classes[].name", {"other"}},
        {"workload.classes[].elastic.gpus", {"1..4"}},
        {"workload.classes[].match.names", {"j1"}},
        {"workload.classes[].match.names[]", {"j1"}},
        {"workload.classes[].match.tenants", {"b"}},
        {"workload.classes[].match.tenants[]", {"c"}},
        {"workload.classes[].match.classes", {"y"}},
        {"workload.classes[].match.classes[]", {"z"}},
        {"workload.classes[].pools", {"b", "own"}},
        {"workload.classes[].pools[]", {"b"}},
        {"workload.classes[].locality.require", {"node", "rack"}},
        {"workload.classes[].locality.prefer", {"rack", "fabric"}},
        {"workload.classes[].job_type", {"LM"}},
        {"workload.classes[].model.name", {"other"}},
        {"workload.classes[].parallelism", {"{tensor: 4}"}},
        {"fleet[].pool", {"other"}},
        {"fleet[].price.file", {"prices2.csv"}},
        {"fleet[].price.currency", {"EUR"}},
        {"fleet[].price.type", {"n"}},
        {"fleet[].price.region", {"s"}},
        {"fleet[].price.zone", {"r-b", "us-east-1b"}},
        {"fleet[].price.purchase", {"on_demand"}},
        {"fleet[].price.product", {"Windows"}},
        {"fleet[].price.generate.like", {"prices2.csv"}},
        {"fleet[].price.generate.currency", {"EUR"}},
        {"fleet[].price.generate.type", {"n"}},
        {"fleet[].price.generate.region", {"s"}},
        {"fleet[].price.generate.zone", {"r-b", "us-east-1b"}},
        {"fleet[].price.generate.purchase", {"on_demand"}},
        {"fleet[].price.generate.product", {"Windows"}},
        {"fleet[].region", {"elsewhere"}},
        {"fleet[].topology.file", {"fabric2.yaml"}},
        {"fleet[].topology.torus", {"4x4", "2x8"}},
        {"fleet[].topology.tile", {"2x1x1", "1x1x2"}},
        {"fleet[].failures.file", {"faults2.csv"}},
        {"fleet[].availability.file", {"counts2.csv"}},
        {"fleet[].availability.zone", {"us-east-1b"}},
        {"fleet[].availability.gpu", {"K80"}},
        {"fleet[].availability.generate.like", {"counts2.csv"}},
        {"fleet[].availability.generate.zone", {"us-east-1b"}},
        {"fleet[].availability.generate.gpu", {"K80"}},
        {"fleet[].provisioning.schedule.zone", {"Asia/Tokyo"}},
        {"fleet[].energy.grid.file", {"grid2.csv"}},
        {"fleet[].energy.grid.zone", {"x"}},
        {"energy.grid.file", {"grid2.csv"}},
        {"energy.grid.zone", {"y"}},
        {"budgets[].name", {"other"}},
        {"budgets[].pool", {"b"}},
        {"budgets[].tenant", {"b"}},
        {"calendar", {"Asia/Tokyo"}},
        {"commitments[].name", {"other"}},
        {"commitments[].pools", {"b"}},
        {"commitments[].pools[]", {"b"}},
        {"currencies", {"{usd: 1.3}"}},
        {"report.currency", {"GBP"}},
        {"egress[].from", {"aws us-west-2"}},
        {"egress[].to", {"aws us-east-1"}},
        {"quotas[].pools", {"[c]"}},
        {"quotas[].pools[]", {"c"}},
        {"quotas[].region", {"us-east1"}},
        {"tenants[].name", {"other"}},
        {"tenants[].cohort", {"d"}},
        {"policy.queue.distribution", {"sizes.txt"}},
        {"policy.queue.levels", {"[100 gpu-s]", "[1000 gpu-s, 9000 gpu-s]"}},
        {"policy.queue.levels[]", {"100 gpu-s"}},
    };
    return all;
}

/// Files that the base scenarios name.
void write_files(const TemporaryFolder& folder) {
    std::string jobs = "job,t,d,d2,gpus,tenant,r,c,cpu_milli\n";
    std::string two = "submit,duration,gpus,tenant,job_id,arrival_s,service_sec,gpu_count\n";
    for (int i = 0; i < 40; ++i) {
        jobs += fmt::format("j{},2024-03-01 {:02}:{:02}:00,{},{},{},{},{},{},{}\n",
                            i % 7,
                            i / 3,
                            i % 3 * 19,
                            600 + 911 * (i % 5),
                            500 + 100 * (i % 3),
                            1 + i % 4,
                            i % 2 == 0 ? "a" : "b",
                            i % 6 == 0 ? "A100" : "V100",
                            i % 3 == 0 ? "x" : "y",
                            1000);
        two += fmt::format("{},{},{},{},{},{},{},{}\n",
                           86'400 * 400 + i * 600,
                           1000,
                           1 + i % 8,
                           "ab"[i % 2],
                           i,
                           i * 60,
                           500,
                           1);
    }
    folder.write("jobs.csv", jobs);
    folder.write("needs.csv",
                 "job,submit,duration,gpus,state,after\n"
                 "a,0,600,1,failed,\nb,0,600,1,completed,a\nc,0,600,1,completed,\n");
    std::string curves = "trial,at,value\n";
    for (int trial = 1; trial <= 6; ++trial)
        curves += fmt::format("{0},0.1,{1}\n{0},0.5,{1}\n", trial, 6 - trial);
    folder.write("curves.csv", curves);
    folder.write("jobs2.csv", jobs + "j1,2024-03-01 20:00:00,50,50,1,a,V100,x,1000\n");
    folder.write("two_formats.csv", two);
    folder.write("pieces.csv",
                 "submit,duration,gpus,gpu_milli\n0,3600,1,400\n10,3600,1,500\n20,3600,4,1000\n"
                 "30,3600,4,1000\n40,3600,2,1000\n");
    folder.write(
        "sacct.txt",
        "JobID|Submit|Start|End|Elapsed|State|AllocTRES|Account|Timelimit\n"
        "17|2024-03-01T08:15:00|2024-03-01T09:00:00|2024-03-01T10:00:00|01:00:00|COMPLETED|"
        "cpu=64,gres/shard=2|nlp|UNLIMITED\n"
        "18|2024-03-01T08:15:00|2024-03-01T09:00:00|2024-03-01T10:00:00|01:00:00|COMPLETED|"
        "cpu=64,gres/gpu=8|nlp|UNLIMITED\n");
    for (const bool other : {false, true}) {
        std::string prices = "time,price,type,region,zone\n";
        for (const char* offer : {"m,r,r-a", "n,r,r-a", "m,s,r-a", "m,r,r-b"})
            for (int i = 0; i < 60; ++i)
                prices += fmt::format(
                    "2024-03-01 {:02}:{:02}:00,{},{}\n",
                    i / 3,
                    i % 3 * 20,
                    i == 20
                        ? 50.
                        : 1 + 0.1 *
                                  ((i * i + offer[0] + offer[2] + offer[6] + (other ? 1 : 0)) % 7),
                    offer);
        folder.write(other ? "prices2.csv" : "prices.csv", prices);
        folder.write(other ? "counts2.csv" : "counts.csv",
                     fmt::format("time,nodes\n0,2\n600,1\n{},2\n6000,0\n7200,2\n9000,1\n12000,2\n"
                                 "20000,1\n30000,2\n40000,2\n",
                                 other ? 1800 : 1200));
        folder.write(other ? "faults2.csv" : "faults.csv",
                     fmt::format("node,start,end\na,0,100\na,{0},5400\nb,7200,9000\n"
                                 "c,9000,{0}0\nd,11000,19000\nd,200000,200001\n",
                                 other ? 1800 : 2400));
        folder.write(other ? "grid2.csv" : "grid.csv",
                     fmt::format("time,zone,g_per_kwh\n0,x,{}\n0,y,100\n3600,x,200\n3600,y,400\n",
                                 other ? 500 : 300));
        folder.write(
            other ? "gavel2.json" : "gavel.json",
            fmt::format(
                R"json({{"k80": {{"('A3C', 1)": {{"null": 2.0}}, "('LM', 1)": {{"null": 1.0}}}},)json"
                R"json("v100": {{"('A3C', 1)": {{"null": {}, "('LM', 1)": [4.8, 6.75]}},)json"
                R"json("('LM', 1)": {{"null": 9.0}}}},)json"
                R"json("p100": {{"('A3C', 1)": {{"null": 3.0}}, "('LM', 1)": {{"null": 4.0}}}}}})json",
                other ? 5.0 : 6.0));
        folder.write(
            other ? "fabric2.yaml" : "fabric.yaml",
            fmt::format(
                "bursar-fabric: 1\n"
                "devices:\n  gpu: node[0..3]/gpu[0..1]\n  nic: node[0..3]/nic\n"
                "  switch: top\n"
                "links:\n"
                "  - {{from: \"node[x]/gpu[y]\", to: \"node[x]/nic\", bandwidth: {} GB/s}}\n"
                "  - {{from: \"node[x]/nic\", to: top, bandwidth: 50 GB/s}}\n",
                other ? 30 : 20));
    }
    folder.write(
        "skypilot.json",
        R"json({"metadata": {"gap_seconds": 600}, "data": [0,1,1,2,0,2,2,1,1,0,2,2,2,1,0,2,2,2,1,1]})json");
    std::string aws = "timestamp,instance_type,availability_zone,spot_price_usd_per_hour,product\n";
    for (const char* zone : {"us-east-1a", "us-east-1b"})
        for (const char* product : {"Linux/UNIX", "Windows"})
            for (int i = 0; i < 30; ++i)
                aws += fmt::format("2024-03-01T{:02}:{:02}:00Z,p3.8xlarge,{},{},{}\n",
                                   i / 2,
                                   i % 2 * 30,
                                   zone,
                                   3 + 0.1 * ((i * i + zone[9] + product[0]) % 7),
                                   product);
    folder.write("aws.csv", aws);
    folder.write(
        "skypilot.csv",
        "InstanceType,AcceleratorCount,Region,Price,SpotPrice\np3.8xlarge,4.0,us-east-1,12,4\n");
    std::string gcp = "snapshot_utc,machine_type,region,ondemand_usd_per_hour,spot_usd_per_hour,"
                      "commit_1y_usd_per_month\n";
    for (int i = 0; i < 20; ++i)
        for (const char* region : {"r", "s"})
            gcp += fmt::format("2024-03-01T{:02}:00:00Z,a2,{},{},{},\n",
                               i,
                               region,
                               3.6 + 0.1 * (i * i % 5),
                               1 + 0.1 * ((i * i + region[0]) % 7));
    folder.write("gcp.csv", gcp);
    std::string dime;
    int instance = 0;
    for (int i = 0; i < 12; ++i)
        for (const char* kind : {"4 GPU(s) of type V100 in zone us-east-1a",
                                 "4 GPU(s) of type V100 in zone us-east-1b",
                                 "4 GPU(s) of type K80 in zone us-east-1a",
                                 "8 GPU(s) of type V100 in zone us-east-1a"}) {
            ++instance;
            dime += fmt::format(
                "[2020-03-15T{0:02}:{1:02}:33.000Z] Created instance i-{2} with {3}\n"
                "[2020-03-15T{0:02}:{4:02}:40.000Z] Instance i-{2} not running in zone {5}\n",
                i,
                instance * 7 % 23,
                instance,
                kind,
                30 + instance * 5 % 29,
                std::string_view{kind}.substr(std::string_view{kind}.size() - 10));
        }
    folder.write("dime.log", dime);
    std::string profiles = read_file(source_file("scenarios/catalog/profiles.yaml"));
    const std::string spread = "log_sigma: 2.3";
    profiles.replace(profiles.find(spread), spread.size(), "log_sigma: 1.3");
    folder.write("profiles.yaml", profiles);
    folder.write("sizes.txt", "100 gpu-s\n5000 gpu-s\n200000 gpu-s\n");
}

/// The number at the begin of `text` times `factor`, with what stands behind it; empty: no number.
std::string scaled(const std::string& text, double factor) {
    std::size_t end = 0;
    try {
        const double number = std::stod(text, &end);
        return fmt::format("{:.6f}{}", number * factor, text.substr(end));
    } catch (const std::exception&) {
        return {};
    }
}

void add_numbers(const ordered_json& bounds, const Node* now, Texts& values) {
    const bool whole = bounds["type"] == "integer";
    std::vector<double> numbers;
    if (now != nullptr && now->kind == NodeKind::scalar && !scaled(now->text, 1).empty())
        for (const double factor : {2., 0.5, 4., 0.1})
            numbers.push_back(std::stod(now->text) * factor);
    if (now != nullptr && whole && !numbers.empty())
        numbers.insert(numbers.begin() + 1, {numbers[0] / 2 + 1, numbers[0] / 2 - 1});
    numbers.insert(numbers.end(), {1, 2, 8, 0, 0.5, 1.5, 40});
    for (const double number : numbers) {
        if ((bounds.contains("minimum") && number < bounds["minimum"].get<double>()) ||
            (bounds.contains("exclusiveMinimum") &&
             number <= bounds["exclusiveMinimum"].get<double>()) ||
            (bounds.contains("maximum") && number > bounds["maximum"].get<double>()) ||
            (whole && number != static_cast<double>(static_cast<std::int64_t>(number))))
            continue;
        values.push_back(fmt::format("{}", number));
    }
}

/// Values that the schema of a path allows, besides the one it has.
void add_values(const ordered_json& one, const std::string& id, const Node* now, Texts& values) {
    if (one.contains("anyOf"))
        for (const ordered_json& part : one["anyOf"])
            add_values(part, id, now, values);
    const auto quoted = [](const ordered_json& word) {
        return word.is_string() ? word.get<std::string>() : word.dump();
    };
    if (one.contains("enum"))
        for (const ordered_json& word : one["enum"])
            values.push_back(quoted(word));
    else if (one.contains("const"))
        values.push_back(quoted(one["const"]));
    else if (one.contains("pattern") && one.contains("examples")) {
        std::string from = one["examples"][0].get<std::string>();
        const bool written = now != nullptr && now->kind == NodeKind::scalar;
        if (written)
            values.push_back(from);
        if (written && !scaled(now->text, 1).empty())
            from = now->text;
        for (const double factor : {2., 0.5, 0.1, 10., 1. / 90, 100.})
            if (const std::string value = scaled(from, factor); !value.empty())
                values.push_back(value);
        if (const std::size_t colon = from.find(':'); colon != std::string::npos)
            values.push_back("4:1");
    } else if (!one.contains("type"))
        return;
    else if (one["type"] == "boolean")
        values.insert(values.end(), {"yes", "no"});
    else if (one["type"] == "integer" || one["type"] == "number")
        add_numbers(one, now, values);
    else if (one["type"] == "array") {
        Texts items;
        if (one.contains("items"))
            add_values(one["items"], id + "[]", nullptr, items);
        for (const std::string& item : items)
            values.push_back('[' + item + ']');
    } else if (one.contains("examples"))
        for (std::size_t i = 0; i < std::min<std::size_t>(one["examples"].size(), 12); ++i)
            values.push_back(quoted(one["examples"][i]));
}

/// A path of a document that may be varied.
struct VariedPath {
    std::string id;   ///< with [] for the elements of a list
    std::string path; ///< as --vary has it
    Texts values;     ///< to try
};

/// Collects the paths of a document that `one` describes; of the schema alone where it is null.
void collect(const ordered_json& one,
             const Node* now,
             const std::string& id,
             const std::string& path,
             std::vector<VariedPath>& paths) {
    if (one.contains("anyOf"))
        for (const ordered_json& part : one["anyOf"])
            collect(part, now, id, path, paths);
    const auto visit = [&](const ordered_json& value,
                           const Node* node,
                           const std::string& step_id,
                           const std::string& step) {
        const std::string dot = id.empty() || step_id.starts_with('[') ? "" : ".";
        VariedPath leaf{id + dot + step_id, path + dot + step, {}};
        add_values(value, leaf.id, node, leaf.values);
        if (const auto listed = texts().find(leaf.id); listed != texts().end())
            leaf.values.insert(leaf.values.end(), listed->second.begin(), listed->second.end());
        if (node != nullptr)
            std::erase(leaf.values, node->text);
        if (node != nullptr || now == nullptr)
            collect(value, node, leaf.id, leaf.path, paths);
        if (!leaf.values.empty())
            paths.push_back(std::move(leaf));
    };
    if (one.contains("properties"))
        for (const auto& [key, value] : one["properties"].items())
            if (now == nullptr || now->kind == NodeKind::mapping)
                visit(value, now == nullptr ? nullptr : now->find(key), key, key);
    if (one.contains("items") && now == nullptr)
        visit(one["items"], nullptr, "[]", "[0]");
    if (one.contains("items") && now != nullptr)
        for (std::size_t i = 0; i < now->items.size(); ++i)
            visit(one["items"], &now->items[i], "[]", fmt::format("[{}]", i));
    if (one.contains("additionalProperties") && one["additionalProperties"].is_object() &&
        now != nullptr)
        for (const Pair& pair : now->pairs) {
            VariedPath leaf{id, path + '.' + pair.key.text, {}};
            add_values(one["additionalProperties"], id, &pair.value, leaf.values);
            if (const auto listed = texts().find(id); listed != texts().end())
                leaf.values.insert(leaf.values.end(), listed->second.begin(), listed->second.end());
            paths.push_back(std::move(leaf));
        }
}

/// A scenario whose paths are varied.
struct Base {
    std::shared_ptr<const ScenarioLoader> loader; ///< without what `vary` of the file lays over it
    std::vector<Override> sets;
    Node document; ///< with them
};

std::vector<Base> bases(const TemporaryFolder& folder) {
    const std::string all = read_file(source_file("tests/tools/simulate/varied_paths.yaml"));
    std::vector<Base> out;
    std::size_t begin = 0;
    while (begin < all.size()) {
        const std::size_t end = std::min(all.find("---\n", begin), all.size());
        std::string text = all.substr(begin, end - begin);
        begin = end + 4;
        std::string layers;
        if (const std::size_t vary = text.find("\nvary:\n"); vary != std::string::npos) {
            layers = text.substr(vary + 1);
            text.resize(vary + 1);
        }
        const std::string file = folder.file("base.yaml");
        const auto source =
            std::make_shared<const Source>(Source{file, folder.path().string(), 0, true});
        const Node root = parse_document(text, source);
        const auto loader =
            std::make_shared<const ScenarioLoader>(ScenarioSource{.file = file, .text = text});
        out.push_back({loader, {}, root});
        const Node lists = parse_document(layers, source);
        if (const Node* vary = lists.find("vary"))
            for (const Node& sets : vary->items) {
                Base base{loader, {}, root};
                for (const Node& set : sets.items) {
                    base.sets.push_back(parse_override(set.text));
                    base.sets.back().directory = folder.path().string();
                }
                Findings findings;
                base.document = with_overrides(base.document, base.sets, findings);
                findings.throw_if_any();
                out.push_back(std::move(base));
            }
    }
    return out;
}

/// What a value of a path does: it changes a run or not, or is refused.
struct Effect {
    std::optional<Result> result; ///< what its scenario decides, without names, texts and times
    std::string refusal;          ///< without a result
};

/// The run of a base with a path varied; by itself where there is none.
class Runs {
  public:
    explicit Runs(const Base& base) : base_{base} {}

    [[nodiscard]] Effect of(const std::optional<Override>& varied) {
        std::vector<Override> all = base_.sets;
        try {
            if (varied) {
                static_cast<void>(VariantGrid{{{varied->path, {varied->value}}}});
                all.push_back(*varied);
            }
            const LoadedScenario loaded = base_.loader->load(all);
            if (!first_)
                first_ = loaded;
            check_seeds(first_->scenario, loaded.scenario);
            const CompiledRun compiled = compile_run(loaded, first_seed(loaded.scenario, {}));
            Result result = run_and_act(compiled, Record::timeline, workspace_).result;
            RunFacts& run = result.run;
            run.scenario_text.clear();
            run.scenario_hash = run.peak_rss_bytes = 0;
            run.scenario_name.clear();
            run.wall = run.policy_time = {};
            run.policy = {};
            static_cast<Notes&>(run) = {};
            run.price_basis.clear();
            run.trace_notes.clear();
            return {std::move(result), {}};
        } catch (const ScenarioError& error) {
            return {{}, error.findings().front().text()};
        } catch (const SimulationError& error) {
            return {{}, error.what()};
        }
    }

  private:
    const Base& base_;
    std::optional<LoadedScenario> first_;
    Workspace workspace_;
};

/// What was tried of a path without a change of the run.
struct Tried {
    std::set<std::string> same;    ///< values that are accepted
    std::set<std::string> refused; ///< messages
};

/// Paths of which every other value is refused.
bool is_refused(std::string_view path) {
    return path == "repeat.seeds" || path == "workload.synthetic.seed" ||
           path.starts_with("sweep.");
}

/// Paths whose values do not change these runs, and why.
const std::map<std::string_view, std::string_view> unchanging{
    {"bursar", "has one value"},
    {"name", "a title"},
    {"fleet[].availability.format", "a file has one format, all others are refused"},
    {"fleet[].availability.generate.format", "the same"},
    {"fleet[].price.format", "the same"},
    {"fleet[].price.generate.format", "the same"},
    {"workload.speeds.format", "has one value"},
    {"workload.jobs[].trials.rule", "has one value; asha is refused"},
    {"workload.trace.on_bad_row", "decides whether a trace is refused"},
    {"workload.classes[].failures.like", "the catalogue has one entry"},
    {"workload.classes[].checkpoint.mode", "needs `blocks` or `full_every`, too"},
    {"workload.classes[].checkpoint.mode[]", "the same"},
    {"workload.classes[].parallelism.anyway", "permits what else is refused"},
    {"workload.classes[].parallelism.tensor_across_nodes", "the same"},
    {"workload.classes[].model.activation_copies", "decides what fits into the memory"},
    {"workload.classes[].model.activations_per_sample", "the same"},
    {"workload.classes[].model.dropout", "the same"},
};

} // namespace

TEST_CASE("every path that may be varied changes a run, or is refused") {
    const TemporaryFolder folder;
    write_files(folder);
    std::vector<VariedPath> described;
    collect(schema(), nullptr, {}, {}, described);
    std::map<std::string, Tried> open;
    for (const VariedPath& one : described)
        open[one.id];
    CHECK(open.size() > 380);
    for (const Base& base : bases(folder)) {
        CAPTURE(base.sets.empty() ? "" : base.sets.front().path + '=' + base.sets.front().value);
        Runs runs{base};
        const Effect before = runs.of({});
        CHECK_MESSAGE(before.result, before.refusal);
        std::vector<VariedPath> paths;
        collect(schema(), &base.document, {}, {}, paths);
        for (const VariedPath& one : paths)
            for (const std::string& value : one.values) {
                const auto tried = open.find(one.id);
                if (tried == open.end() || !before.result)
                    break;
                if (unchanging.contains(one.id) && tried->second.same.contains(value))
                    continue; // once is enough
                const Effect after =
                    runs.of(Override{one.path, value, "--vary 1", folder.path().string()});
                if (!after.result)
                    tried->second.refused.insert(after.refusal);
                else if (*after.result == *before.result)
                    tried->second.same.insert(value);
                else
                    open.erase(tried);
            }
    }
    for (const auto& [path, tried] : open) {
        CAPTURE(path);
        CAPTURE(fmt::format("{}", fmt::join(tried.same, ", ")));
        CAPTURE(fmt::format("{}", fmt::join(tried.refused, "\n")));
        if (is_refused(path))
            CHECK((tried.same.empty() && !tried.refused.empty()));
        else
            CHECK_MESSAGE(unchanging.contains(path), "no value that is tried changes a run");
    }
    for (const auto& [path, why] : unchanging) {
        CAPTURE(path);
        CHECK_MESSAGE(open.contains(std::string{path}), "is an exception without need");
    }
}

} // namespace bursar::varied_paths_test
