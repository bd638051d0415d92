#include <algorithm>

#include <doctest/doctest.h>

#include "scenarios/keys/read_scenario.hpp"
#include "scenarios/trace_formats/read_trace.hpp"
#include "scenarios/traces/trace_options.hpp"

#include "tests/places.hpp"
#include "tests/scenarios/scenario/test_names.hpp"
#include "tests/scenarios/traces/temporary_file.hpp"

namespace bursar::read_scenario_test {
namespace {

const Catalogue& catalogue() {
    static const Catalogue builtin = builtin_catalogue();
    return builtin;
}

Scenario read(std::string_view text, const std::vector<std::string>& set_texts = {}) {
    std::vector<Override> sets;
    for (const std::string& set : set_texts)
        sets.push_back(parse_override(set));
    return read_scenario_text(text, "s.yaml", sets, test::known_names(), catalogue());
}

/// Every mistake, a line each.
std::string mistakes(std::string_view text, const std::vector<std::string>& sets = {}) {
    try {
        read(text, sets);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

const std::string good = "bursar: 1\n"
                         "workload:\n"
                         "  trace: {file: jobs.csv}\n"
                         "fleet:\n"
                         "  - pool: owned\n"
                         "    purchase: owned\n"
                         "    gpu: V100-SXM2-16GB\n"
                         "    nodes: 60\n"
                         "    gpus_per_node: 8\n"
                         "    price: 0.95 USD/gpu-h\n";

} // namespace

TEST_CASE("a small scenario has the stated defaults") {
    const Scenario scenario = read(good);
    CHECK(scenario.name == "s");
    CHECK(std::get<TraceWorkload>(scenario.workload)->file == "jobs.csv");
    CHECK(std::get<TraceWorkload>(scenario.workload)->zone == "UTC");
    CHECK(std::get<TraceWorkload>(scenario.workload)->on_bad_row == OnBadRow::error);
    REQUIRE(scenario.fleet.size() == 1);
    const PoolSpec& pool = scenario.fleet[0];
    CHECK(pool.rate == MoneyRate{950'000'000});
    CHECK(pool.price_basis == "declared");
    CHECK(pool.nodes == 60);
    CHECK(pool.place.line == 5);
    CHECK(scenario.policy.queue == "fifo");
    CHECK(scenario.policy.placement == "consolidated");
    CHECK_FALSE(scenario.until.has_value());
    CHECK(scenario.seeds == 1);
    CHECK(scenario.warnings.empty());
    CHECK(scenario.unmodelled == std::vector<std::string>{"failures, reclaim, autoscaling"});
    CHECK(scenario.assumed == std::vector<std::string>{"no startup time declared"});
}

TEST_CASE("every key fills its member") {
    const Scenario scenario = read(
        "bursar: 1\n"
        "name: all\n"
        "workload:\n"
        "  trace:\n"
        "    {file: jobs.csv, format: csv, columns: {submit: t}, start: 2017-10-09, zone: "
        "'+08:00',\n"
        "     select: {gpus: 1..32, tenants: [6214e9, b], from: 2017-10-09, to: 2017-11-01, first: "
        "9},\n"
        "     scale: {time: 2, load: 1.5, gpus: 0.5}, on_bad_row: skip}\n"
        "  classes:\n"
        "    - {match: {gpus: 8.., tenants: 6214e9}, startup: 90 s, teardown: 10 s, pools: [a]}\n"
        "    - {startup: 30 s}\n"
        "fleet:\n"
        "  - {pool: a, purchase: reserved, gpu: V100-SXM2-16GB, nodes: 2, gpus_per_node: 8,\n"
        "     price: 7.60 USD/node-h, term: 1 y, region: us-east-1}\n"
        "  - {pool: b, purchase: spot, gpu: V100-SXM2-16GB, nodes: 3, gpus_per_node: 4,\n"
        "     price: 0.31 USD/gpu-h, billing: {granularity: 1 min}}\n"
        "policy: {queue: sjf, head: skip, capacity: count, placement: first-fit, broker: "
        "owned-first}\n"
        "measure: {from: 7 d, to: 60 d}\n"
        "until: 90 d\n");
    const auto& trace = *std::get<TraceWorkload>(scenario.workload);
    CHECK(trace.columns.at("submit") == "t");
    CHECK(trace.select.tenants == std::vector<std::string>{"6214e9", "b"});
    CHECK(trace.select.first == 9);
    CHECK(trace.select.from == "2017-10-09");
    CHECK(trace.scale.load == 1.5);
    CHECK(trace.on_bad_row == OnBadRow::skip);
    CHECK(trace.zone == "+08:00");
    REQUIRE(scenario.classes.size() == 2);
    const ClassMatch match = scenario.classes[0].match.value_or(ClassMatch{});
    CHECK(match.gpus.value_or(CountRange{0, 0}).contains(8));
    CHECK(match.tenants == std::vector<std::string>{"6214e9"});
    CHECK(scenario.classes[0].startup.whole == 90 * second);
    CHECK(scenario.classes[0].pools == std::vector<std::string>{"a"});
    CHECK_FALSE(scenario.classes[1].match.has_value());
    CHECK(scenario.fleet[0].rate == MoneyRate{950'000'000});
    CHECK(scenario.fleet[0].term == year);
    CHECK(scenario.fleet[0].region == "us-east-1");
    CHECK(scenario.fleet[1].billing.granularity == minute);
    CHECK(scenario.fleet[1].purchase == Purchase::spot);
    CHECK(scenario.policy.queue == "sjf");
    CHECK(scenario.measure_from == 7 * day);
    CHECK(scenario.measure_to == 60 * day);
    CHECK(scenario.until == 90 * day);
    CHECK(scenario.unmodelled ==
          std::vector<std::string>{"failures, reclaim, autoscaling",
                                   "pool b: nodes are up and paid for the whole run",
                                   "pool b: price changes of spot capacity"});
    REQUIRE(scenario.warnings.size() == 1);
    CHECK(scenario.warnings[0].path == "policy.placement");
    CHECK(scenario.assumed ==
          std::vector<std::string>{"price of pool b is constant for the whole run"});
}

TEST_CASE("a word instead of a duration") {
    const Scenario scenario = read(
        good, {"until=last-submit", "fleet.owned.purchase=reserved", "fleet.owned.term=amortised"});
    CHECK(scenario.until_last_submit);
    CHECK(!scenario.until);
    CHECK(scenario.fleet[0].is_amortised);
    CHECK(!scenario.fleet[0].term);
    CHECK(scenario.assumed.front() ==
          "reserved pool owned is amortised: of its terms the run's share is paid");
}

TEST_CASE("an owned pool's rate follows from its cost") {
    // 8,760 h a year: 8760 USD over 1 y is 1 USD/h; 1 kW at PUE 1.5 and 0.10 USD/kWh 0.15 USD/h;
    // 73 USD/kW-month over 730 h 0.10 USD/h.
    const Scenario scenario =
        read(good,
             {"fleet.owned={pool: owned, purchase: owned, gpu: V100-SXM2-16GB, nodes: 1, "
              "gpus_per_node: 8, owned: {capex: 70080 USD/node, life: 1 y, power: 1 kW, pue: 1.5, "
              "electricity: 0.10 USD/kWh, colo: 73 USD/kW-month}}"});
    CHECK(scenario.fleet[0].rate == MoneyRate{1'250'000'000});
    CHECK(scenario.fleet[0].price_basis == "owned cost");
}

TEST_CASE("each mistake is reported at its place, with its path and what to do") {
    const std::pair<std::string, std::string> cases[] = {
        {"fleet.owned.price=2.10",
         "fleet.owned.price: \"2.10\" has no unit (expected a rate such as \"2.10 USD/gpu-h\")"},
        {"fleet.owned.price=-1 USD/gpu-h",
         "fleet.owned.price: \"-1 USD/gpu-h\" is negative (a rate is zero or more)"},
        {"fleet.owned.nodes=0", "fleet.owned.nodes: no pool has nodes (0 leaves a pool out)"},
        {"fleet.owned.nodes=0..16",
         "fleet.owned.nodes: a range of nodes that are paid for all the time (owned and reserved "
         "nodes cost the same when they are off); give the number of nodes"},
        {"fleet.owned.nodes=1..",
         "fleet.owned.nodes: \"1..\" has an open end (a pool has a least and a largest number of "
         "nodes); write it as 0..16"},
        {"fleet.owned.nodes=3..2",
         "fleet.owned.nodes: \"3..2\" is an empty range (the lower end is above the upper)"},
        {"fleet.owned.nodes=0..0", "fleet.owned.nodes: a range of no nodes; 0 leaves the pool out"},
        {"fleet=[{pool: a, purchase: spot, gpu: V100-SXM2-16GB, nodes: 2..4, gpus_per_node: 8, "
         "price: 1 USD/gpu-h, provisioning: {start: 1}}]",
         "fleet.a.provisioning.start: is not in the range of nodes"},
        {"fleet.owned.term=1 y",
         "fleet.owned.term: only for purchase reserved (other capacity has no term)"},
        {"workload.classes=[{speed: {V1000: 2}}]",
         "workload.classes[0].speed.V1000: no GPU is named \"V1000\"; did you mean \"V100\"?"},
        {"workload.classes=[{speed: {V100: 2, V100-SXM2-16GB: 3}}]",
         "workload.classes[0].speed.V100-SXM2-16GB: another name of it has a speed (it is "
         "V100-SXM2-16GB)"},
        {"workload.classes=[{speed: {}}]", "workload.classes[0].speed: names no GPU"},
        {"fleet.owned.term=amortised",
         "fleet.owned.term: only for purchase reserved (other capacity has no term)"},
        {"until=last_submit",
         "until: \"last_submit\" is neither a quantity nor last-submit; did you mean "
         "\"last-submit\"?"},
        {"until=5", "until: \"5\" has no unit (expected a duration such as \"15 min\")"},
        {"fleet.owned.billing={granularity: 1 s}",
         "fleet.owned.billing: only for purchase on_demand and spot (paid time of other capacity "
         "is not rounded)"},
        {"fleet.owned.owned={capex: 1 USD/gpu, life: 1 y}",
         "fleet.owned.owned: cannot be combined with price (give one of them)"},
        {"bursar=\"1\"", "bursar: expected the number 1, found text; write it without quotes"},
        {"policy.queue=fifi", "policy.queue: unknown name \"fifi\"; did you mean \"fifo\"?"},
        {"polcy.queue=fifo", "polcy: unknown key; did you mean \"policy\"?"},
        {"workload.classes=[{startup: 1 s, pools: ownd}]",
         "workload.classes[0].pools: no pool is named \"ownd\"; did you mean \"owned\"?"},
        {"workload.classes=[{startup: 1 s}, {startup: 2 s}]",
         "workload.classes[0].match: missing (the classes after it would get no job)"},
        {"workload.classes=[{match: {gpus: 8}}]",
         "workload.classes[0].match: the last class has no match (it takes the remaining jobs)"},
        {"measure={from: 3 d, to: 3 d}",
         "measure.to: the measured time is empty (it ends before it begins)"},
        {"workload.trace.select={from: 2017-10-09, to: 2017-10-08}",
         "workload.trace.select.to: the range is empty (it is not after from)"},
        {"workload.trace.select={from: 2017-10-09T12:00:00Z, to: 2017-10-09 12:00}",
         "workload.trace.select.to: the range is empty (it is not after from)"},
        {"include=x.yaml", "include: cannot be set by --set (only files include files)"},
    };
    for (const auto& [set, message] : cases)
        CHECK(mistakes(good, {set}) == "--set 1: " + message);
}

TEST_CASE("a missing key is reported at the place of its parent") {
    CHECK(mistakes("bursar: 1\nworkload: {}\nfleet:\n  - {pool: a, purchase: spot,\n"
                   "     gpu: V100-SXM2-16GB, nodes: 1}\n") ==
          "s.yaml:2:11: workload: missing: one of trace, synthetic, jobs\n"
          "s.yaml:4:5: fleet.a.gpus_per_node: missing (GPUs in each node)\n"
          "s.yaml:4:5: fleet.a: missing: one of price, owned");
    CHECK(mistakes("") == "s.yaml: the file is empty (expected a scenario)");
    CHECK(
        mistakes(good, {"fleet="}) ==
        "--set 1: fleet: required, so it cannot be removed (the pools of nodes that run the jobs, "
        "at least one)");
    CHECK(mistakes(good, {"workload.trace="}) ==
          "--set 1: workload.trace: cannot be removed alone (give one of trace, synthetic, jobs)");
    CHECK(mistakes(good, {"fleet.owned.nodes=", "fleet.owned.nodes=3"}).empty());
    CHECK(mistakes("- 1\n") == "s.yaml:1:1: expected a mapping, found a list");
}

TEST_CASE("all mistakes come in one pass, in reading order") {
    const std::string text =
        mistakes(good + "    nodes: 61\n"
                        "    nods: 1\n"
                        "  - {pool: owned, purchase: lent, gpu: abacus, nodes: 1.5, "
                        "gpus_per_node: 8, price: nan USD/gpu-h}\n"
                        "policy: [fifo]\n",
                 {"until=0 s", "name=~"});
    CHECK(text ==
          "s.yaml:11:5: fleet.owned.nodes: duplicate key\n"
          "s.yaml:12:5: fleet.owned.nods: unknown key; did you mean \"nodes\"?\n"
          "s.yaml:13:12: fleet.owned.pool: duplicate name (pool names are unique)\n"
          "s.yaml:13:29: fleet.owned.purchase: unknown name \"lent\"; one of: owned, reserved, "
          "on_demand, spot\n" +
              text.substr(text.find("s.yaml:13:40: "),
                          text.find("s.yaml:13:55: ") - text.find("s.yaml:13:40: ")) +
              "s.yaml:13:55: fleet.owned.nodes: \"1.5\" is not a whole number\n"
              "s.yaml:13:85: fleet.owned.price: \"nan USD/gpu-h\" is not a finite number (expected "
              "a rate such as \"2.10 USD/gpu-h\")\n"
              "s.yaml:14:9: policy: expected a mapping, found a list\n"
              "--set 1: until: \"0 s\" is zero (a duration above zero)\n"
              "--set 2: name: expected text, found nothing");
    CHECK(text.find("s.yaml:13:40: fleet.owned.gpu: unknown name \"abacus\"; one of: ") !=
          std::string::npos);
}

TEST_CASE("more seeds than one are warned of if nothing is random") {
    const Scenario scenario = read(good + "repeat: {seeds: 5}\n");
    REQUIRE(scenario.warnings.size() == 1);
    CHECK(scenario.warnings[0].text() ==
          "s.yaml:11:17: repeat.seeds: nothing in this scenario is random: all 5 seeds give the "
          "same result (the jobs, their order and all events are given); remove repeat.seeds");
    const std::string synthetic = "workload={synthetic: {like: philly, jobs: 10, gpus: 8}}";
    CHECK(read(good, {synthetic, "repeat.seeds=5"}).warnings.empty());
}

TEST_CASE("dates of different forms compare as instants") {
    CHECK(mistakes(good,
                   {"workload.trace.zone='+08:00'",
                    "workload.trace.select={from: 2017-10-09T12:00, to: 2017-10-09 04:30Z}"})
              .empty());
}

TEST_CASE("the default checkpoint is warned of if jobs or nodes fail") {
    const std::string nodes_fail = "fleet.owned.failures={per_node_day: 1, repair: 1 h}";
    const std::string jobs_fail = "workload.classes=[{failures: {per_job_hour: 1}}]";
    const auto warnings = [](const std::vector<std::string>& overrides) {
        return read(good, overrides).warnings;
    };
    REQUIRE(warnings({nodes_fail}).size() == 1);
    CHECK(warnings({nodes_fail})[0].text().ends_with(
        "workload: jobs that fail, or whose nodes fail, lose all their work (without `checkpoint` "
        "a job saves only as it is stopped); say when they save"));
    REQUIRE(warnings({jobs_fail}).size() == 1);
    CHECK(warnings({jobs_fail})[0].path == "workload.classes[0]");
    for (const char* checkpoint : {"none", "{every: 1 h, save: 1 s}"})
        CHECK(warnings(
                  {nodes_fail, std::string{"workload.classes=[{checkpoint: "} + checkpoint + "}]"})
                  .empty());
}

TEST_CASE("keys without effect are warned of") {
    const auto warnings = [](const std::string& set) {
        std::vector<std::string> texts;
        for (const Finding& warning : read(good, {set}).warnings)
            texts.push_back(warning.text());
        return texts;
    };
    CHECK(warnings("policy={capacity: count, placement: first-fit}") ==
          std::vector<std::string>{
              "--set 1: policy.placement: has no effect (under capacity count gangs are not placed "
              "on nodes); remove it, or set capacity to nodes"});
    const std::string pool = "fleet=[{pool: a, purchase: owned, gpu: V100-SXM2-16GB, nodes: 1, "
                             "gpus_per_node: 8, owned: {capex: 1 USD/gpu, life: 1 y, power: 1 kW";
    CHECK(warnings(pool + "}}]") ==
          std::vector<std::string>{"--set 1: fleet.a.owned.power: has no effect (it multiplies "
                                   "electricity and colo, and neither is given)"});
    CHECK(warnings(pool + ", colo: 1 USD/kW-month}}]").empty());
}

TEST_CASE("keys for launches have no effect on a fixed number of nodes") {
    const std::string pool =
        "fleet=[{pool: a, purchase: spot, gpu: V100-SXM2-16GB, gpus_per_node: 8, price: 1 "
        "USD/gpu-h, boot: 4 min, idle_timeout: 1 min, provisioning: {warm: 1}, nodes: ";
    CHECK(read(good, {pool + "0..4}]"}).warnings.empty());
    const Scenario scenario = read(good, {pool + "4}]"});
    REQUIRE(scenario.warnings.size() == 3);
    CHECK(scenario.warnings[0].text() ==
          "--set 1: fleet.a.boot: has no effect (a number of nodes is there all the time); write "
          "nodes as a range, such as 0..16");
}

TEST_CASE("a class after a wider one is warned of") {
    const auto num_warnings = [](const std::string& early, const std::string& late) {
        return read(good,
                    {"workload.classes=[{match: " + early + "}, {match: " + late +
                     "}, {startup: 1 s}]"})
            .warnings.size();
    };
    CHECK(num_warnings("{gpus: 8..}", "{gpus: 8..16}") == 1);
    CHECK(num_warnings("{tenants: [a, b]}", "{tenants: b, gpus: 8}") == 1);
    CHECK(num_warnings("{gpus: 1..4}", "{gpus: ..4}") == 1);
    CHECK(num_warnings("{gpus: 8}", "{}") == 1); // the last one
    CHECK(num_warnings("{}", "{gpus: 8}") == 2);
    CHECK(num_warnings("{gpus: 8..16}", "{gpus: 8..}") == 0);
    CHECK(num_warnings("{tenants: a}", "{gpus: 8}") == 0);
    CHECK(num_warnings("{tenants: a}", "{tenants: [a, b]}") == 0);
    CHECK(num_warnings("{classes: a}", "{classes: b}") == 0);
    CHECK(num_warnings("{classes: [a, b]}", "{classes: b}") == 1);
    const Scenario scenario =
        read(good, {"workload.classes=[{match: {gpus: 8}}, {match: {gpus: 8}}, {startup: 1 s}]"});
    REQUIRE(scenario.warnings.size() == 1);
    CHECK(scenario.warnings[0].text() == "--set 1: workload.classes[1]: no job reaches this class "
                                         "(workload.classes[0] takes all its jobs)");
}

TEST_CASE("the hash covers the scenario after include and --set") {
    const std::uint64_t base = read(good).hash;
    CHECK(read("# a comment\n" + good).hash == base);
    CHECK(read(good, {"fleet.owned.nodes=60"}).hash == base);
    CHECK(read(good, {"fleet.owned.nodes=61"}).hash != base);
    CHECK(read(good, {"policy.queue=sjf"}).hash != base);
}

TEST_CASE("a trace file given by --set is recognised by its content") {
    const std::string workload = "{file: jobs.csv, format: philly-csv}";
    const auto trace = [](const std::string& written, const std::vector<std::string>& sets) {
        std::string text = good;
        const std::string old = "{file: jobs.csv}";
        return *std::get<TraceWorkload>(
            read(text.replace(text.find(old), old.size(), written), sets).workload);
    };
    CHECK(trace(workload, {}).format == "philly-csv");
    CHECK(trace(workload, {"workload.trace.file=b.csv"}).format.empty());
    CHECK(trace(workload, {"workload.trace.zone=+08:00"}).format == "philly-csv");
    CHECK(trace(workload, {"workload.trace.zone=Europe/Berlin"}).zone == "Europe/Berlin");
    CHECK(trace(workload, {"workload.trace.format="}).format.empty());
    CHECK(trace(workload, {"workload.trace.file=b.csv", "workload.trace.format=csv"}).format ==
          "csv");
    const std::string mapped = "{file: a.csv, format: csv, columns: {submit: t}}";
    CHECK(trace(mapped, {"workload.trace.file=b.csv"}).format == "csv");
}

TEST_CASE("the tip in the examples: another file instead of the synthetic one") {
    const std::string path = source_file("scenarios/examples/philly.yaml");
    const test::TemporaryFile file{"submit,duration,gpus\n0,600,8\n60,600,4\n"};
    const std::vector<Override> sets{parse_override("workload.trace.file=" + file.path()),
                                     parse_override("fleet.owned.nodes=80")};
    const Scenario scenario = read_scenario(path, sets, test::known_names(), catalogue());
    const Trace trace = read_trace(*std::get<TraceWorkload>(scenario.workload));
    CHECK(trace.format == "csv");
    CHECK(trace.size() == 2);
    CHECK(scenario.fleet[0].nodes == 80);
}

TEST_CASE("the examples are valid scenarios") {
    for (const std::string name : {"philly.yaml", "philly-real.yaml"}) {
        CAPTURE(name);
        const std::string path = source_file("scenarios/examples/" + name);
        const Scenario scenario = read_scenario(path, {}, test::known_names(), catalogue());
        REQUIRE(scenario.fleet.size() == 1);
        CHECK(scenario.fleet[0].nodes * scenario.fleet[0].gpus_per_node == 480);
        CHECK(scenario.warnings.empty());
        const std::string& file = std::get<TraceWorkload>(scenario.workload)->file;
        CHECK(file.ends_with(name == "philly.yaml" ? "scenarios/examples/philly-synthetic.csv.gz"
                                                   : "shared/data/jobs-philly/philly.csv.gz"));
    }
}

} // namespace bursar::read_scenario_test
