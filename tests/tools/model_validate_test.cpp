// The commands bursar model validate and calibrate.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "models/training/job/layout.hpp"
#include "models/training/step/step_time.hpp"

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/catalog/step_errors.hpp"
#include "scenarios/catalog/training_defaults.hpp"
#include "scenarios/measurements/training_case.hpp"

#include "tests/shared_data.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::model_validate_test {
namespace {

/// Steps that scale with the batch, of an unknown stack.
std::string steps(int rows) {
    std::string text = "id,source,framework,gpu,gpus,layers,hidden,heads,seq,global_batch,"
                       "micro_batch,precision,attention,step_s\n";
    for (int i = 0; i < rows; ++i) {
        const int batch = 8 << i % 5;
        const int hidden = 1024 << i % 3;
        const double work = batch * (hidden / 1024.0) * (hidden / 1024.0);
        text += "r" + std::to_string(i) + ",own,my stack,A100,8,24," + std::to_string(hidden) +
                ",16,1024," + std::to_string(batch) + ",1,fp16,unfused," +
                std::to_string(0.02 + 0.006 * work) + "\n";
    }
    return text;
}

/// The network as the only entry of a catalogue.
std::string catalogue_of(const Transformer& model) {
    std::string text = fmt::format(
        "transformers:\n  - name: row\n    layers: {}\n    hidden: {}\n    ffn: {}\n    heads: {}\n"
        "    kv_heads: {}\n    head_dim: {}\n    vocab: {}\n    sequence: {}\n    feed_forward: "
        "{}\n"
        "    attends: {}\n    logits: {}\n    dropout: {}\n    source: a row\n    date: "
        "2026-11-27\n",
        model.layers,
        model.hidden,
        model.ffn,
        model.heads,
        model.kv_heads,
        model.head_dim,
        model.vocab,
        model.sequence,
        model.ffn_matrices == 3 ? "gated" : "gelu",
        model.causal ? "backward" : "both-ways",
        model.tied_embedding ? "tied" : "untied",
        model.dropout ? "kept" : "none");
    if (model.activation_copies)
        text += fmt::format("    activation_copies: {}\n", *model.activation_copies);
    if (const auto& experts = model.experts)
        text += fmt::format("    experts: {{count: {}, per_token: {}, ffn: {}, shared_ffn: {}, "
                            "dense_layers: {}}}\n",
                            experts->count,
                            experts->per_token,
                            experts->ffn,
                            experts->shared_ffn,
                            experts->dense_layers);
    if (const auto& latent = model.latent)
        text += fmt::format("    latent: {{query_rank: {}, key_rank: {}, rotary_dim: {}, "
                            "value_dim: {}}}\n",
                            latent->query_rank,
                            latent->key_rank,
                            latent->rotary_dim,
                            latent->value_dim);
    if (model.windows.layers > 0)
        text += fmt::format("    windows: {{layers: {}, tokens: {}}}\n",
                            model.windows.layers,
                            model.windows.tokens);
    return text;
}

std::string name_of(auto setting, const auto& names) {
    return std::string{names[static_cast<std::size_t>(setting)]};
}

/// `bursar model step` for a row. Settings that the row does not publish are left out.
std::vector<std::string> step_command(const TrainingCase& row, const std::string& networks) {
    const Layout& layout = row.job.layout;
    std::vector<std::string> command{"model", "step", "--anyway", "--format", "json"};
    const auto put = [&command](const char* option, const auto& value) {
        command.emplace_back(option);
        command.push_back(fmt::format("{}", value));
    };
    put("--model", "row");
    put("--architectures", networks);
    put("--gpu", row.cluster.gpu.name);
    put("--gpus", layout.gpus());
    put("--tensor", layout.tensor);
    put("--pipeline", layout.pipeline);
    put("--chunks", layout.chunks);
    put("--context", layout.context);
    put("--expert", layout.expert);
    put("--micro-batch", layout.micro_batch);
    put("--global-batch", layout.global_batch());
    put("--recompute", recompute_text(layout.recompute));
    put("--precision", name_of(row.job.precision, precision_names));
    put("--tensor-across-nodes", "");
    command.pop_back();
    if (!row.row.framework.empty())
        put("--framework", row.row.framework);
    if (row.row.gpus_per_node)
        put("--gpus-per-node", *row.row.gpus_per_node);
    if (row.row.inter_node_gbps)
        put("--node-network", fmt::format("{:.0f} Mbit/s", 1000 * *row.row.inter_node_gbps));
    if (row.job.precision == Precision::fp8)
        put("--fp8-scaling", name_of(row.job.fp8_scaling, scaling_names));
    if (!is_unpublished(row.row.attention))
        put("--attention", name_of(row.job.attention, attention_names));
    if (row.job.recipe == StateRecipe::pure_bf16)
        put("--recipe", name_of(row.job.recipe, recipe_names));
    if (!is_unpublished(row.row.sharding))
        put("--sharding", name_of(layout.sharding, sharding_names));
    if (layout.shard > 0)
        put("--shard-ranks", layout.shard);
    if (!is_unpublished(row.row.sequence_parallel))
        command.emplace_back(layout.sequence_parallel ? "--sequence-parallel"
                                                      : "--no-sequence-parallel");
    if (layout.offload_optimizer)
        command.emplace_back("--offload-optimizer");
    return command;
}

/// Whether a command line can state the row: its GPU is one of the catalogue, and a step was timed.
bool can_be_stated(const TrainingCase& row, const Catalogue& gpus) {
    const Gpu* known = gpus.find(row.cluster.gpu.name);
    return known != nullptr && known->achievable_fraction == row.cluster.gpu.achievable_fraction &&
           known->scaleup_gb_s == row.cluster.gpu.scaleup_gb_s && row.part == MeasuredPart::step;
}

} // namespace

TEST_CASE("each row of each validation file has one step time, whichever command answers") {
    const auto folder = shared_data("validation");
    if (!folder)
        return;
    const TemporaryFolder own;
    const Catalogue gpus = builtin_catalogue();
    const KnownWorld world{gpus, builtin_architectures(), builtin_stacks()};
    int answered = 0;
    for (const auto& entry : std::filesystem::directory_iterator{*folder}) {
        if (entry.path().extension() != ".csv")
            continue;
        const MeasurementFile file = read_measurement_file(entry.path().string());
        const std::size_t each = file.rows.size() / 100 + 1; // of equal kinds in the large ones
        for (std::size_t i = 0; i < file.rows.size(); i += each) {
            std::optional<TrainingCase> row;
            double expected = 0;
            try {
                row = training_case(training_measurement(file, file.rows[i]), world);
                expected = step_time(row->job, row->cluster, *row->profile).total().count();
            } catch (const std::runtime_error&) { // `validate` refuses it, too
                continue;
            }
            if (!can_be_stated(*row, gpus))
                continue;
            const std::vector<std::string> command =
                step_command(*row, own.write("row.yaml", catalogue_of(row->job.model)));
            const Answer answer = bursar(command);
            CAPTURE(row->row.file);
            CAPTURE(row->row.id);
            CAPTURE(answer.err);
            CAPTURE(fmt::format("{}", fmt::join(command, " ")));
            CHECK(answer.code == 0);
            if (answer.code != 0)
                continue;
            const nlohmann::json step = nlohmann::json::parse(answer.out)["step"];
            CHECK(step["step_s"].get<double>() == doctest::Approx(expected).epsilon(1e-12));
            ++answered;
        }
    }
    MESSAGE(answered, " rows have equal step times");
    CHECK(answered > 300);
}

namespace {

/// A scenario with one job of the row: 1,000 steps, and nothing else that takes time.
std::string scenario_of(const TrainingCase& row, const std::string& networks, bool has_levels) {
    const Layout& layout = row.job.layout;
    const std::int64_t node = row.cluster.gpus_per_host;
    std::string text = fmt::format(
        "bursar: 1\nworkload:\n  jobs: [{{name: j, gpus: {}}}]\n  classes:\n    - {{model: {}, "
        "steps: 1000, batch: {} sequences, micro_batch: {}, precision: {}, recompute: {}, "
        "framework: \"{}{}\", parallelism: {{tensor: {}, pipeline: {}, chunks: {}, context: {}, "
        "expert: {}, tensor_across_nodes: yes",
        layout.gpus(),
        networks,
        layout.global_batch(),
        layout.micro_batch,
        name_of(row.job.precision, precision_names),
        recompute_text(layout.recompute),
        row.row.framework,
        row.job.precision == Precision::fp8 ? " " + row.row.precision : "",
        layout.tensor,
        layout.pipeline,
        layout.chunks,
        layout.context,
        layout.expert);
    if (!is_unpublished(row.row.sharding))
        text += fmt::format(", sharding: {}", name_of(layout.sharding, sharding_names));
    if (layout.offload_optimizer)
        text += ", offload_optimizer: yes";
    if (!is_unpublished(row.row.sequence_parallel))
        text += fmt::format(", sequence_parallel: {}", layout.sequence_parallel ? "yes" : "no");
    text += "}";
    if (!is_unpublished(row.row.attention))
        text += fmt::format(", attention: {}", name_of(row.job.attention, attention_names));
    text += fmt::format("}}\nfleet:\n  - {{pool: a, purchase: owned, gpu: {}, nodes: {}, "
                        "gpus_per_node: {}, price: 1 USD/gpu-h",
                        row.cluster.gpu.name,
                        (layout.gpus() + node - 1) / node,
                        node);
    if (row.row.inter_node_gbps)
        text += fmt::format(", network: {:.0f} Gbit/s", *row.row.inter_node_gbps);
    return text + (has_levels ? ", topology: {rails: 1}}\n" : "}\n");
}

/// The row of that id of a published file.
TrainingCase case_of(const MeasurementFile& file, std::string_view id, const KnownWorld& world) {
    for (const MeasurementRow& row : file.rows)
        if (file.text(row, "id") == id)
            return training_case(training_measurement(file, row), world);
    FAIL("no row ", id);
    return {};
}

} // namespace

TEST_CASE("a scenario and the layout search give published rows the step time of validate") {
    const auto folder = shared_data("validation");
    if (!folder)
        return;
    const TemporaryFolder own;
    const Catalogue gpus = builtin_catalogue();
    const KnownWorld world{gpus, builtin_architectures(), builtin_stacks()};
    struct Published {
        const char* file;
        const char* id;
    };
    for (const auto& [file, id] :
         {Published{"megatron_bridge_2026_part.csv", "mb_archive-038"},
          Published{"megatron_bridge_2026_part.csv", "mb_archive-003"},
          Published{"megatron_bridge_2026_part.csv", "mb_archive-056"},
          Published{"megatron_bridge_2026_part.csv", "mb_archive-057"},
          Published{"mlperf_v51_third.csv", "mlperf_v51-02"},
          Published{"mlperf_v51_third.csv", "mlperf_v51-20"},
          Published{"transformer_published.csv", "transformer_published-057"},
          Published{"bigscience_a100_early.csv", "bigscience-L476"}}) {
        CAPTURE(std::string{id});
        const TrainingCase row =
            case_of(read_measurement_file((*folder / file).string()), id, world);
        const double step = step_time(row.job, row.cluster, *row.profile).total().count();
        const std::string networks = own.write("row.yaml", catalogue_of(row.job.model));
        for (const bool has_levels : {false, true}) {
            CAPTURE(has_levels);
            const std::string scenario = scenario_of(row, networks, has_levels);
            CAPTURE(scenario);
            const Answer run = bursar({"run", own.write("s.yaml", scenario), "--format", "json"});
            CAPTURE(run.err);
            REQUIRE(run.code == 0);
            const nlohmann::json modelled = nlohmann::json::parse(run.out)["modelled"][0];
            CHECK(modelled["run_time_s"].get<double>() / 1000 ==
                  doctest::Approx(step).epsilon(2e-6)); // whole milliseconds
        }
        // The search's best layout has the step time that `model step` gives it.
        std::vector<std::string> question = step_command(row, networks);
        std::erase(question, "--anyway");
        for (const char* flag : {"--sequence-parallel", "--no-sequence-parallel"})
            std::erase(question, flag);
        for (const char* stated : {"--tensor",
                                   "--pipeline",
                                   "--chunks",
                                   "--context",
                                   "--expert",
                                   "--micro-batch",
                                   "--recompute",
                                   "--sharding",
                                   "--shard-ranks"})
            if (const auto at = std::ranges::find(question, stated); at != question.end())
                question.erase(at, at + 2);
        std::vector<std::string> search = question;
        search[1] = "layout";
        std::erase(search, "--tensor-across-nodes");
        if (row.job.layout.offload_optimizer)
            continue; // which the search does not try
        const Answer found = bursar(search);
        CAPTURE(found.err);
        REQUIRE(found.code == 0);
        const nlohmann::json best = nlohmann::json::parse(found.out)["best_layouts"][0];
        for (const char* key : {"tensor", "pipeline", "chunks", "context", "expert"}) {
            question.push_back(std::string{"--"} + key);
            question.push_back(std::to_string(best[key].get<int>()));
        }
        question.insert(question.end(),
                        {"--micro-batch",
                         std::to_string(best["micro_batch"].get<int>()),
                         "--recompute",
                         best["recompute"].get<std::string>(),
                         "--sharding",
                         best["sharding"].get<std::string>(),
                         best["sequence_parallel"].get<bool>() ? "--sequence-parallel"
                                                               : "--no-sequence-parallel"});
        const Answer asked = bursar(question);
        CAPTURE(asked.err);
        REQUIRE(asked.code == 0);
        CHECK(nlohmann::json::parse(asked.out)["step"]["step_s"].get<double>() ==
              doctest::Approx(best["step_s"].get<double>()).epsilon(1e-9));
    }
}

TEST_CASE("a folder is validated, in every format, row by row") {
    const TemporaryFolder folder;
    folder.write("steps.csv", steps(4));
    folder.write("note.txt", "not a table");
    const Answer table = bursar({"model", "validate", folder.path().string()});
    CHECK(table.code == 0);
    CHECK(table.out.find("Unseen sources") != std::string::npos);
    const std::string rows = folder.file("rows.out");
    const Answer json =
        bursar({"model", "validate", folder.path().string(), "--format", "json", "--rows", rows});
    REQUIRE(json.code == 0);
    const auto answer = nlohmann::json::parse(json.out);
    CHECK(answer["groups"][0]["n"] == 4);
    CHECK(answer["groups"][0]["tuned"] == false);
    CHECK(answer["unanswered"].empty());
    CHECK(read_file(rows).find("r3,steps.csv,my stack") != std::string::npos);
    const Answer csv = bursar({"model", "validate", folder.path().string(), "--format", "csv"});
    CHECK(csv.out.starts_with("file,framework,gpu,quantity,profile,tuned,n,answered,"));
}

TEST_CASE("a file that cannot be read does not affect the others") {
    const TemporaryFolder folder;
    folder.write("steps.csv", steps(4));
    folder.write("empty.csv", "");
    const Answer json = bursar({"model", "validate", folder.path().string(), "--format", "json"});
    REQUIRE(json.code == 0);
    const auto answer = nlohmann::json::parse(json.out);
    REQUIRE(answer["unanswered"].size() == 1);
    CHECK(answer["unanswered"][0]["id"] == "empty.csv");
    CHECK(answer["unanswered"][0]["why"].get<std::string>().find("empty") != std::string::npos);
    const Answer alone = bursar({"model", "validate", folder.file("empty.csv")});
    CHECK(alone.code == 2);
    CHECK(alone.out.empty());
}

TEST_CASE("a folder without measurements is an error") {
    const TemporaryFolder folder;
    const Answer answer = bursar({"model", "validate", folder.path().string()});
    CHECK(answer.code == 2);
    CHECK(answer.out.empty());
    CHECK(answer.err.find("no measurements") != std::string::npos);
}

TEST_CASE("a calibrated profile reads back, and its rows count as seen") {
    const TemporaryFolder folder;
    const std::string file = folder.write("steps.csv", steps(20));
    const std::string out = folder.file("stack.yaml");
    const Answer fitted = bursar({"model", "calibrate", file, "--out", out, "--format", "json"});
    CAPTURE(fitted.err);
    REQUIRE(fitted.code == 0);
    const auto answer = nlohmann::json::parse(fitted.out);
    REQUIRE(answer["errors"].size() == 3);
    CHECK(answer["errors"][1]["n"] == 10);
    CHECK(answer["errors"][2]["n"] == 10);
    CHECK(answer["errors"][2]["mape"].get<double>() < answer["errors"][0]["mape"].get<double>());
    const Answer held = bursar({"model", "validate", file, "--stacks", out, "--format", "json"});
    REQUIRE(held.code == 0);
    const auto groups = nlohmann::json::parse(held.out)["groups"];
    REQUIRE(groups.size() == 2);
    for (const auto& group : groups) {
        CHECK(group["tuned"] == true);
        CHECK(group["n"] == 10);
    }
    CHECK(groups[0]["profile"] != groups[1]["profile"]); // fitted and held-out rows
}

TEST_CASE("only chosen constants are fitted") {
    const TemporaryFolder folder;
    const std::string file = folder.write("steps.csv", steps(20));
    const Answer fitted = bursar({"model",
                                  "calibrate",
                                  file,
                                  "--free",
                                  "gemm_efficiency,host_forward",
                                  "--all-rows",
                                  "--format",
                                  "json"});
    REQUIRE(fitted.code == 0);
    const auto answer = nlohmann::json::parse(fitted.out);
    CHECK(answer["constants"].size() == 2);
    CHECK(answer["errors"][1]["n"] == 20);
    CHECK(answer["errors"][2]["n"] == 20); // every row by a fit without it
}

TEST_CASE("three rows calibrate a profile, and each is predicted without it") {
    const TemporaryFolder folder;
    const std::string file = folder.write("three.csv", steps(3));
    const std::string out = folder.file("own.yaml");
    const Answer fitted = bursar({"model",
                                  "calibrate",
                                  file,
                                  "--stack",
                                  "megatron-lm-2021",
                                  "--out",
                                  out,
                                  "--format",
                                  "json"});
    CAPTURE(fitted.err);
    REQUIRE(fitted.code == 0);
    const auto answer = nlohmann::json::parse(fitted.out);
    CHECK(answer["errors"][1]["n"] == 3);
    CHECK(answer["errors"][2]["n"] == 3);
    REQUIRE(answer["left_out"].size() == 3);
    double sum = 0;
    for (const auto& row : answer["left_out"]) {
        CHECK(row["row"].get<std::string>().starts_with("r"));
        const double error = row["predicted_s"].get<double>() / row["measured_s"].get<double>() - 1;
        CHECK(row["error"].get<double>() == doctest::Approx(error));
        sum += std::abs(error);
    }
    const double mape = answer["errors"][2]["mape"].get<double>();
    CHECK(mape == doctest::Approx(sum / 3));
    CHECK(mape < answer["errors"][0]["mape"].get<double>());
    const Stacks own = read_stacks(out);
    REQUIRE(own.all.size() == 1);
    CHECK(own.all[0].name == "megatron-lm-2021-calibrated");
    CHECK(own.all[0].held_out_error == doctest::Approx(mape));
    CHECK(own.all[0].fitted_on.at(0).source == "own");
}

TEST_CASE("a constant that ends at its bound is reported on stderr and in the profile") {
    const TemporaryFolder folder;
    std::string rows = steps(0);
    for (const char* batch : {"8", "16", "32", "64"}) // faster than the GPU can be
        rows += std::string{"f"} + batch + ",own,my stack,A100,8,24,4096,16,1024," + batch +
                ",1,fp16,unfused,0.02\n";
    const std::string file = folder.write("fast.csv", rows);
    const std::string out = folder.file("own.yaml");
    const Answer fitted = bursar({"model", "calibrate", file, "--out", out});
    REQUIRE(fitted.code == 0);
    CHECK(fitted.err.find(": the rows would need a value beyond its physical limit") !=
          std::string::npos);
    CHECK(read_file(out).find(" at its m") != std::string::npos);
}

TEST_CASE("a calibrated profile is used in the bill, with its error") {
    const TemporaryFolder folder;
    const std::string out = folder.file("own.yaml");
    const Answer fitted =
        bursar({"model", "calibrate", folder.write("three.csv", steps(3)), "--out", out});
    REQUIRE(fitted.code == 0);
    const double error = *read_stacks(out).all.at(0).held_out_error;
    const std::string scenario = folder.write(
        "s.yaml",
        "bursar: 1\n"
        "workload:\n"
        "  jobs: [{name: a, gpus: 8}]\n"
        "  classes: [{model: gpt-1.3b, steps: 50000, batch: 64 samples, stack: own.yaml}]\n"
        "fleet: [{pool: p, purchase: owned, gpu: A100, nodes: 1, gpus_per_node: 8,\n"
        "  price: 2 USD/gpu-h}]\n");
    const Answer run = bursar({"run", scenario, "--format", "json"});
    CAPTURE(run.err);
    REQUIRE(run.code == 0);
    const auto modelled = nlohmann::json::parse(run.out)["modelled"];
    REQUIRE(modelled.size() == 1);
    const double measured = step_error({.stack = "composer",
                                        .is_stack_known = true,
                                        .gpu = "A100-SXM4-40GB",
                                        .gpus = 8,
                                        .parameters = 1e9,
                                        .sequence = 2048})
                                .range.high;
    CHECK(modelled[0]["range_high"].get<double>() ==
          doctest::Approx(std::max(1 + 1.61 * error, measured)));
    CHECK(modelled[0]["range_low"].get<double>() < 1);
    CHECK(modelled[0]["stack"].get<std::string>().ends_with("-calibrated"));
    const Answer by_name =
        bursar({"run",
                scenario,
                "--stacks",
                out,
                "--set",
                "workload.classes[0].stack=" + modelled[0]["stack"].get<std::string>(),
                "--format",
                "json"});
    CHECK(nlohmann::json::parse(by_name.out)["modelled"] == modelled);
    CHECK(bursar({"check", scenario}).out.find("% in 80 % of cases") != std::string::npos);
}

TEST_CASE("data that cannot be calibrated are refused with the reason") {
    const TemporaryFolder folder;
    const auto refusal = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"model", "calibrate"});
        const Answer answer = bursar(arguments);
        CHECK(answer.code == 2);
        CHECK(answer.out.empty());
        return answer.err;
    };
    const std::string two = folder.write("two.csv", steps(2));
    CHECK(refusal({two}).find("2 usable measured steps are too few") != std::string::npos);
    const std::string none = folder.write("none.csv",
                                          "id,source,gpu,gpus,layers,hidden,heads,seq,step_s\n"
                                          "x,own,A100,8,24,1024,16,1024,\n");
    has(refusal({none}), "0 usable measured steps are too few to calibrate and test");
    has(refusal({none}), none + ":2:");
    const std::string some = folder.write("some.csv", steps(12));
    CHECK(refusal({some, "--stack", "megatron"}).find("no profile is named") != std::string::npos);
    CHECK(refusal({some, "--free", "gem_efficiency"}).find("gem_efficiency") != std::string::npos);
    const std::string other = folder.write("other.csv", "gpu,mamf_tflops\nA100,270\n");
    CHECK(refusal({other}).find("no training steps") != std::string::npos);
    CHECK(refusal({folder.file("absent.csv")}).find("absent.csv") != std::string::npos);
}

} // namespace bursar::test::model_validate_test
