// Every command gives a published row the step time that `bursar model validate` gives it.

#include <algorithm>
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
#include "scenarios/catalog/training_defaults.hpp"
#include "scenarios/measurements/measured_transformer.hpp"
#include "scenarios/measurements/noted_shape.hpp"
#include "scenarios/measurements/training_case.hpp"

#include "tests/shared_data.hpp"
#include "tests/tools/program.hpp"

namespace bursar::test::model_agreement_test {
namespace {

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
    const bool has_passes = row.row.micro_batch || row.row.grad_accum;
    if (has_passes)
        put("--micro-batch", layout.micro_batch);
    if (has_passes || row.row.global_batch)
        put("--global-batch", layout.global_batch());
    if (!is_unpublished(row.row.recompute))
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
    if (noted_offload(row.row.notes))
        command.insert(command.end(), {"--offload-layers", std::to_string(layout.offload_layers)});
    return command;
}

/// `bursar model layout` for the one layout of a row.
std::vector<std::string> layout_command(const TrainingCase& row, const std::string& networks) {
    const Layout& layout = row.job.layout;
    std::vector<std::string> command = step_command(row, networks);
    command[1] = "layout";
    std::erase(command, "--anyway");
    // The search tries several of what the row leaves open, so that all is stated.
    const auto state = [&command](const std::string& option, const std::string& value) {
        if (std::ranges::find(command, option) == command.end())
            command.insert(command.end(), {option, value});
    };
    state("--micro-batch", std::to_string(layout.micro_batch));
    state("--global-batch", std::to_string(layout.global_batch()));
    state("--recompute", recompute_text(layout.recompute));
    if (layout.offload_layers > 0)
        state("--offload-layers", std::to_string(layout.offload_layers));
    state("--sharding", name_of(layout.sharding, sharding_names));
    for (const char* flag : {"--sequence-parallel", "--no-sequence-parallel"})
        std::erase(command, flag);
    command.emplace_back(layout.sequence_parallel ? "--sequence-parallel"
                                                  : "--no-sequence-parallel");
    return command;
}

/// The published rows, and a folder for their networks.
class PublishedRows {
  public:
    explicit PublishedRows(std::filesystem::path folder) : folder_{std::move(folder)} {}

    /// Calls `visit` with each row of each file that has a modelled step time, and with that time.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const auto& entry : std::filesystem::directory_iterator{folder_}) {
            if (entry.path().extension() != ".csv")
                continue;
            const MeasurementFile file = read_measurement_file(entry.path().string());
            for (const MeasurementRow& row : file.rows) {
                std::optional<TrainingCase> read;
                double step = 0;
                try {
                    read = training_case(training_measurement(file, row), world_);
                    step = step_of(*read);
                } catch (const std::runtime_error&) { // `validate` refuses it, too
                    continue;
                }
                visit(*read, step);
            }
        }
    }

    [[nodiscard]] TrainingCase find(const std::string& name, std::string_view id) const {
        const MeasurementFile file = read_measurement_file((folder_ / name).string());
        for (const MeasurementRow& row : file.rows)
            if (file.text(row, "id") == id)
                return training_case(training_measurement(file, row), world_);
        FAIL("no row ", id);
        return {};
    }

    /// Seconds.
    [[nodiscard]] static double step_of(const TrainingCase& row) {
        return step_time(row.job, row.cluster, *row.profile).total().count();
    }

    /// Whether options can state the row: its GPU is one of the catalogue, and a step was timed.
    [[nodiscard]] bool can_be_stated(const TrainingCase& row) const {
        const Gpu* known = gpus_.find(row.cluster.gpu.name);
        return known != nullptr &&
               known->achievable_fraction == row.cluster.gpu.achievable_fraction &&
               known->scaleup_gb_s == row.cluster.gpu.scaleup_gb_s &&
               row.part == MeasuredPart::step;
    }

    /// File with the row's network as it was published: commands copy KV heads themselves.
    [[nodiscard]] std::string network_of(const TrainingCase& row) const {
        Assumptions ignored;
        return own_.write(
            "row.yaml", catalogue_of(measured_transformer(row.row, world_.architectures, ignored)));
    }
    [[nodiscard]] std::string write(std::string_view name, std::string_view text) const {
        return own_.write(name, text);
    }

  private:
    std::filesystem::path folder_;
    TemporaryFolder own_;
    Catalogue gpus_ = builtin_catalogue();
    KnownWorld world_{gpus_, builtin_architectures(), builtin_stacks()};
};

/// The answer of a command that must succeed.
nlohmann::json answer_of(const std::vector<std::string>& command) {
    const Answer answer = bursar(command);
    CAPTURE(fmt::format("{}", fmt::join(command, " ")));
    CAPTURE(answer.err);
    REQUIRE(answer.code == 0);
    return nlohmann::json::parse(answer.out);
}

/// A scenario with one job of the row: 1,000 steps, and nothing else that takes time.
std::string scenario_of(const TrainingCase& row, const std::string& networks, bool has_levels) {
    const Layout& layout = row.job.layout;
    const std::int64_t node = row.cluster.gpus_per_host;
    std::string text = fmt::format(
        "bursar: 1\nworkload:\n  jobs: [{{name: j, gpus: {}}}]\n  classes:\n    - {{model: {}, "
        "steps: 1000, batch: {} sequences, precision: {}, "
        "framework: \"{}{}\", parallelism: {{tensor: {}, pipeline: {}, chunks: {}, context: {}, "
        "expert: {}, tensor_across_nodes: yes, anyway: yes",
        layout.gpus(),
        networks,
        layout.global_batch(),
        name_of(row.job.precision, precision_names),
        row.row.framework,
        row.job.precision == Precision::fp8 ? " " + row.row.precision : "",
        layout.tensor,
        layout.pipeline,
        layout.chunks,
        layout.context,
        layout.expert);
    if (!is_unpublished(row.row.sharding))
        text += fmt::format(", sharding: {}", name_of(layout.sharding, sharding_names));
    if (layout.shard > 0)
        text += fmt::format(", shard_ranks: {}", layout.shard);
    if (layout.offload_optimizer)
        text += ", offload_optimizer: yes";
    if (noted_offload(row.row.notes))
        text += fmt::format(", offload_layers: {}", layout.offload_layers);
    if (!is_unpublished(row.row.sequence_parallel))
        text += fmt::format(", sequence_parallel: {}", layout.sequence_parallel ? "yes" : "no");
    text += "}";
    if (row.row.micro_batch || row.row.grad_accum)
        text += fmt::format(", micro_batch: {}", layout.micro_batch);
    if (!is_unpublished(row.row.recompute))
        text += fmt::format(", recompute: {}", recompute_text(layout.recompute));
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

} // namespace

TEST_CASE("each row of each validation file has one step time, whichever command answers") {
    const auto folder = shared_data("validation");
    if (!folder)
        return;
    const PublishedRows rows{*folder};
    int equal = 0;
    int unstated = 0;
    rows.for_each([&](const TrainingCase& row, double step) {
        if (!rows.can_be_stated(row)) {
            ++unstated;
            return;
        }
        CAPTURE(row.row.file);
        CAPTURE(row.row.id);
        const nlohmann::json answer = answer_of(step_command(row, rows.network_of(row)));
        const auto asked = answer["step"]["step_s"].get<double>();
        CHECK(asked == doctest::Approx(step).epsilon(1e-12));
        equal += asked == doctest::Approx(step).epsilon(1e-12) ? 1 : 0;
    });
    MESSAGE(equal,
            " rows have equal step times; ",
            unstated,
            " are of passes without a step or of GPUs that the catalogue lacks");
    CHECK(equal > 1000);
    CHECK(unstated < equal / 20);
}

TEST_CASE("a scenario and the layout search give published rows the step time of validate") {
    const auto folder = shared_data("validation");
    if (!folder)
        return;
    const PublishedRows rows{*folder};
    struct Published {
        const char* file;
        const char* id;
    };
    for (const auto& [file, id] :
         {Published{"megatron_bridge_2026_part.csv", "mb_archive-044"},
          Published{"megatron_bridge_2026_part.csv", "mb_archive-003"},
          Published{"megatron_bridge_gb200.csv", "megatron_bridge-010"},
          Published{"megatron_bridge_2026_part.csv", "mb_archive-056"},
          Published{"megatron_bridge_2026_part.csv", "mb_archive-057"},
          Published{"mlperf_v51_third.csv", "mlperf_v51-02"},
          Published{"mlperf_v51_third.csv", "mlperf_v51-20"},
          Published{"internevo_a100_odd.csv", "internevo-001"},
          Published{"llm_foundry_h100_third.csv", "llm_foundry-003"},
          Published{"simumax_b200_odd.csv", "simumax_b200-01"},
          Published{"transformer_published.csv", "transformer_published-057"},
          Published{"bigscience_a100_early.csv", "bigscience-L476"}}) {
        CAPTURE(std::string{id});
        const TrainingCase row = rows.find(file, id);
        const double step = PublishedRows::step_of(row);
        const std::string network = rows.network_of(row);
        const auto is_step = [step](const nlohmann::json& seconds, double precision) {
            CHECK(seconds.get<double>() == doctest::Approx(step).epsilon(precision));
        };
        for (const bool has_levels : {false, true}) {
            CAPTURE(has_levels);
            const std::string scenario =
                rows.write("s.yaml", scenario_of(row, network, has_levels));
            const nlohmann::json run = answer_of({"run", scenario, "--format", "json"});
            // 1,000 steps, in whole milliseconds
            is_step(run["modelled"][0]["run_time_s"].get<double>() / 1000, 2e-6);
        }
        is_step(answer_of(step_command(row, network))["step"]["step_s"], 1e-12);
        const nlohmann::json found = answer_of(layout_command(row, network));
        CHECK(found["search"]["evaluated"] == 1);
        is_step(found["best_layouts"][0]["step_s"], 1e-12);
    }
}

} // namespace bursar::test::model_agreement_test
