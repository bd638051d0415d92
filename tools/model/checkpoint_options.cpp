#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "models/training/job/flops.hpp"
#include "models/training/job/training_job.hpp"

#include "scenarios/catalog/carbon.hpp"
#include "scenarios/catalog/failure_rates.hpp"
#include "scenarios/catalog/storage_tiers.hpp"
#include "scenarios/catalog/survival_curve.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/nearest_name.hpp"

#include "tools/model/checkpoint.hpp"
#include "tools/model/machine_options.hpp"
#include "tools/model/network_options.hpp"
#include "tools/model/subcommand.hpp"

namespace bursar { inline namespace tools {
namespace {

enum class SaveMode : std::uint8_t { sync, async, incremental };
constexpr std::array<std::string_view, 3> mode_names{"sync", "async", "incremental"};

const std::string command_line{"the command line"};

// Defaults; the answer prints each with its source.
constexpr ByteRate pcie4_copy_rate{20e9};
constexpr double usual_interference = 0.015;
constexpr IncrementalPlan usual_plan{0.1, 10}; // a guess: no published figures
constexpr Seconds usual_run{30 * seconds_per_day};

constexpr RealRange daily_rate{0, 1e9};

struct CheckpointOptions {
    [[nodiscard]] IncrementalPlan plan() const {
        return {changed.value_or(usual_plan.changed_share),
                full_every.value_or(usual_plan.full_every)};
    }

    NetworkOptions network;
    MachineOptions machines;
    std::optional<double> params;
    StateRecipe recipe{StateRecipe::mixed_adam};
    CheckpointContents contents{CheckpointContents::full};

    SaveMode mode{SaveMode::sync};
    std::optional<ByteRate> write;
    std::optional<double> writers;
    std::optional<ByteRate> writer_rate;
    std::optional<ByteRate> copy_rate;
    std::optional<Seconds> synchronise;
    std::optional<double> interference;
    std::optional<double> changed;
    std::optional<double> full_every;

    std::string rates; ///< empty: the first
    std::string rates_file;
    std::optional<double> node_failures;
    std::optional<double> job_failures;
    double preemptions{};
    std::optional<Seconds> mtbf;
    std::string survival;
    std::optional<Seconds> restart;
    std::optional<ByteRate> read;

    std::optional<Seconds> interval;
    std::optional<Seconds> notice;
    std::optional<Seconds> run;
    std::string tier; ///< empty: the first
    std::string cold_tier;
    std::string tiers_file;
    std::int64_t keep{3};
    std::string region;
    std::string carbon_file;
    std::optional<double> utilization;
    std::optional<double> usd_per_kwh;
};

MeasureRule<Seconds> seconds_of_life(Zero zero) {
    return {lifetimes, "TIME", zero, [](std::int64_t ms) {
                return Seconds{static_cast<double>(ms) / 1000};
            }};
}

OptionTable<CheckpointOptions> checkpoint_options() {
    using T = CheckpointOptions;
    const auto positive_time = seconds_of_life(Zero::refused);
    const auto any_time = seconds_of_life(Zero::allowed);
    const auto tier = name_among([] { return builtin_storage_tiers().names(); });
    const MeasureRule<double> energy_price{
        energy_prices, "PRICE", Zero::allowed, [](std::int64_t nano_usd) {
            return static_cast<double>(nano_usd) / static_cast<double>(nano_usd_per_usd);
        }};
    return option_table<T>(
               {{&T::network, network_options()},
                {&T::machines, machine_options()},
                {{"--params", &T::params, real_in(any_size, "N")},
                 "parameters of the model, in place of --model"},
                {{"--recipe", &T::recipe, choice(recipe_names)},
                 "weights and optimizer states (mixed-adam: 14 B per parameter)"},
                {{"--contents", &T::contents, choice(checkpoint_contents_names)}, "what is saved"},

                {{"--mode", &T::mode, choice(mode_names)}, "how checkpoints are written"},
                {{"--write", &T::write, byte_rate()},
                 "write rate of the storage system (default: 1.19 GB/s a node, at most 2 TB/s)"},
                {{"--writers", &T::writers, real_in(any_size, "N")},
                 "processes that write at once (default: one per GPU)"},
                {{"--writer-rate", &T::writer_rate, byte_rate()},
                 "maximum rate of one writer (default: no limit)"},
                {{"--copy-rate", &T::copy_rate, byte_rate()},
                 "async: rate from one GPU to its host (default: 20 GB/s)"},
                {{"--interference", &T::interference, share()},
                 "async: share of training speed lost during a write (default: 0.015)"},
                {{"--synchronise", &T::synchronise, any_time},
                 "time until all ranks have stopped (default: 0 s)"},
                {{"--changed", &T::changed, share()},
                 "incremental: share of bytes that change between checkpoints (default: 0.1)"},
                {{"--full-every", &T::full_every, real_in({1.0, 1e6}, "N")},
                 "incremental: one checkpoint in N is full (default: 10)"},

                {{"--rates", &T::rates, name_among([] { return builtin_failure_rates().names(); })},
                 "failure rates of `bursar catalog failures` (default: the first)"},
                {{"--failures", &T::rates_file, file_name()},
                 "failure-rate catalogue in place of the built-in one"},
                {{"--node-failures-per-1000-days", &T::node_failures, real_in(daily_rate, "N")},
                 "failures per 1000 nodes and day"},
                {{"--job-failures-per-day", &T::job_failures, real_in(daily_rate, "N")},
                 "failures per job and day, at any size"},
                {{"--preemptions-per-day", &T::preemptions, real_in(daily_rate, "N")},
                 "preemptions of the whole job"},
                {{"--mtbf", &T::mtbf, positive_time}, "mean time between failures of the job"},
                {{"--survival", &T::survival, file_name()},
                 "CSV of a curve: time_s,surviving_share"},
                {{"--restart", &T::restart, any_time},
                 "time from a failure to training again, without loading (default: by nodes, 10 to "
                 "2 min)"},
                {{"--read", &T::read, byte_rate()},
                 "rate at which a checkpoint is loaded (default: instantly)"},

                {{"--interval", &T::interval, positive_time},
                 "compute interval to evaluate beside the best ones"},
                {{"--notice", &T::notice, any_time},
                 "notice before an interruption, as with spot capacity"},
                {{"--run", &T::run, positive_time}, "length of the run (default: 30 d)"},
                {{"--tier", &T::tier, tier},
                 "storage tier of checkpoints, of `bursar catalog storage` (default: the first)"},
                {{"--cold-tier", &T::cold_tier, tier},
                 "storage tier of older checkpoints (default: they are deleted)"},
                {{"--tiers", &T::tiers_file, file_name()},
                 "storage catalogue in place of the built-in one"},
                {{"--keep", &T::keep, whole_in(up_to(1'000'000))},
                 "checkpoints kept in the first tier"},
                {{"--region", &T::region, name_among([] {
                      return builtin_carbon_catalogue().region_names();
                  })},
                 "cloud region, for energy and CO2e"},
                {{"--carbon", &T::carbon_file, file_name()},
                 "carbon catalogue in place of the built-in one"},
                {{"--utilization", &T::utilization, share()},
                 "busy share of the GPUs (default: 0.794, 82.5 % of TDP)"},
                {{"--energy-price", &T::usd_per_kwh, energy_price}, "e.g. 0.08 USD/kWh"}})
        .without("--node-network") // no figure of a checkpoint depends on it
        .required("--gpus")
        .describe("--gpus", "GPUs of the job")
        .excludes("--params", {"--model"})
        .excludes("--rates", {"--node-failures-per-1000-days", "--job-failures-per-day"})
        .excludes("--mtbf",
                  {"--survival",
                   "--rates",
                   "--node-failures-per-1000-days",
                   "--job-failures-per-day",
                   "--preemptions-per-day"})
        .excludes("--survival",
                  {"--rates",
                   "--node-failures-per-1000-days",
                   "--job-failures-per-day",
                   "--preemptions-per-day"});
}

double parameters_of(const Architecture& architecture) {
    if (const auto* network = std::get_if<GenericNetwork>(&architecture))
        return network->parameters;
    return parameters(std::get<Transformer>(architecture));
}

StorageTier tier_of(const StorageTiers& tiers, const std::string& name, const std::string& option) {
    const StorageTier* tier = tiers.find(name);
    if (tier == nullptr)
        fail_input(option, none_named("no storage tier is", name, tiers.names()));
    return *tier;
}

NamedFailureRates rates_of(const FailureCatalogue& failures, const std::string& name) {
    const NamedFailureRates* rates = failures.find(name);
    if (rates == nullptr)
        fail_input("--rates", none_named("no failure rates are", name, failures.names()));
    return *rates;
}

void set_size(const CheckpointOptions& options, CheckpointQuestion& question) {
    question.parameters = options.params ? Sourced{*options.params, command_line}
                                         : Sourced{parameters_of(options.network.architecture()),
                                                   options.network.source()};
    question.bytes_per_parameter = {
        checkpoint_bytes_per_parameter(options.recipe, options.contents),
        fmt::format("{}, {}: models/FORMULAS.md sections 3.1, 6.1",
                    recipe_names[static_cast<std::size_t>(options.recipe)],
                    checkpoint_contents_names[static_cast<std::size_t>(options.contents)])};
    question.size = checkpoint_size(question.parameters.value, question.bytes_per_parameter.value);
    question.saved = options.mode == SaveMode::incremental
                         ? mean_saved(question.size, options.plan())
                         : question.size;
    question.gpus = static_cast<double>(*options.machines.gpus);
    question.nodes = std::ceil(question.gpus / static_cast<double>(options.machines.node_gpus()));
}

void set_saving(const CheckpointOptions& options,
                const SaveRates& usual,
                CheckpointQuestion& question) {
    question.mode = mode_names[static_cast<std::size_t>(options.mode)];
    question.writers = options.writers.value_or(question.gpus);
    CheckpointWriters writers{question.writers, options.writer_rate, options.write};
    const bool given = writers.each || writers.file_system;
    if (!given)
        writers.file_system = usual.rate(question.nodes);
    const ByteRate rate = write_rate(writers);
    question.write = {rate.count(),
                      given ? "min(writers · each, store)"
                            : fmt::format("min(nodes · {:g} GB/s, {:g} GB/s): {}",
                                          usual.per_node_gb_s,
                                          usual.most_gb_s,
                                          usual.source)};
    const Seconds synchronise = options.synchronise.value_or(Seconds{});
    if (options.mode != SaveMode::async) {
        question.run.checkpoint = synchronous_checkpoint(question.saved, rate, synchronise);
        question.blocking_source = "synchronise + saved / write rate";
        return;
    }
    const ByteRate copy = options.copy_rate.value_or(pcie4_copy_rate);
    question.run.checkpoint =
        asynchronous_checkpoint({question.saved,
                                 question.writers,
                                 copy,
                                 rate,
                                 synchronise,
                                 options.interference.value_or(usual_interference)});
    question.blocking_source =
        fmt::format("synchronise + size / (writers · {:g} GB/s to the host{})",
                    copy.count() / bytes_per_gb,
                    options.copy_rate ? "" : ", PCIe 4: models/FORMULAS.md section 6.1");
    question.interference_source = options.interference
                                       ? command_line
                                       : "0 - 3 %, models/FORMULAS.md section 6.1 [unverified]";
}

bool saw_size(const NamedFailureRates& rates, double nodes) {
    return nodes >= rates.min_nodes && nodes <= rates.max_nodes;
}

void set_failures(const CheckpointOptions& options,
                  const FailureCatalogue& failures,
                  CheckpointQuestion& question) {
    if (!options.survival.empty()) {
        question.survival = read_survival_curve(options.survival);
        question.mtbf = {question.survival->mean().count(), "mean of " + options.survival};
        return;
    }
    if (options.mtbf) {
        question.mtbf = {options.mtbf->count(), command_line};
        return;
    }
    std::string source = command_line;
    if (options.node_failures || options.job_failures) {
        question.rates = FailureRates{options.job_failures.value_or(0),
                                      options.node_failures.value_or(0) / 1000};
    } else {
        const NamedFailureRates named =
            options.rates.empty() ? failures.all.front() : rates_of(failures, options.rates);
        question.rates = named.rates;
        source = fmt::format("{}: {}", named.name, named.source);
        question.measured = named.measured;
        for (const NamedFailureRates& one : failures.all)
            question.other_rates.push_back(
                {one.name,
                 one.era,
                 mean_time_between_failures(one.rates, question.nodes, options.preemptions),
                 saw_size(one, question.nodes)});
        if (!saw_size(named, question.nodes))
            question.warnings.push_back(
                fmt::format("failure rates \"{}\" were found on {:g} to {:g} nodes, not on {:g}; "
                            "--mtbf or --survival is more exact",
                            named.name,
                            named.min_nodes,
                            named.max_nodes,
                            question.nodes));
    }
    question.mtbf = {
        mean_time_between_failures(*question.rates, question.nodes, options.preemptions).count(),
        std::move(source)};
}

void set_restart(const CheckpointOptions& options,
                 const FailureCatalogue& failures,
                 CheckpointQuestion& question) {
    const NamedRestart& usual = failures.restart_of(question.nodes);
    question.run.mtbf = Seconds{question.mtbf.value};
    question.run.restart = options.restart.value_or(Seconds{60 * usual.minutes});
    question.restart_source =
        options.restart ? command_line : fmt::format("{}, by the number of nodes", usual.name);
    if (!options.restart)
        question.restarts = failures.restarts;
    if (!options.read)
        return;
    const ByteVolume loaded = options.mode == SaveMode::incremental
                                  ? mean_loaded(question.size, options.plan())
                                  : question.size;
    question.load = load_time(loaded, 1, *options.read);
    question.run.restart += question.load;
    question.restart_source += ", and loading";
}

void set_storage(const CheckpointOptions& options, CheckpointQuestion& question) {
    question.length = options.run.value_or(usual_run);
    question.retention.size = question.saved;
    question.retention.objects = question.writers;
    question.retention.keep = options.keep;
    const StorageTiers tiers = options.tiers_file.empty() ? builtin_storage_tiers()
                                                          : read_storage_tiers(options.tiers_file);
    question.retention.hot =
        options.tier.empty() ? tiers.all.front() : tier_of(tiers, options.tier, "--tier");
    if (!options.cold_tier.empty())
        question.retention.cold = tier_of(tiers, options.cold_tier, "--cold-tier");
}

std::optional<EnergyQuestion> energy_of(const CheckpointOptions& options, double gpus) {
    if (options.region.empty())
        return std::nullopt;
    const CarbonCatalogue catalogue = options.carbon_file.empty()
                                          ? builtin_carbon_catalogue()
                                          : read_carbon_catalogue(options.carbon_file);
    const CarbonSite site = catalogue.region(options.region, {"--region"}, {});
    const Gpu gpu = options.machines.gpu();
    EnergyQuestion energy;
    energy.power.gpus = gpus;
    energy.region =
        fmt::format("{} {} ({})", site.provider->name, site.region->name, site.region->place);
    energy.power.gpu = power_of(gpu);
    energy.gpu_source = fmt::format("{}: {} ({})", gpu.name, gpu.source, gpu.date);
    energy.power.utilization = options.utilization.value_or(default_utilization);
    energy.utilization_source =
        options.utilization
            ? command_line
            : "82.5 % of TDP; 70 - 95 % in LLM training: models/FORMULAS.md section 8";
    if (const NodePower* node = catalogue.node_with(gpu.name)) {
        const Power busy{static_cast<double>(node->busy_milliwatts) / 1000};
        energy.power.site.node_overhead = node_overhead_of(gpu, busy);
        energy.node_source = fmt::format("{:.4g} W per busy GPU with its node, {:.4g} to {:.4g} W "
                                         "by workload: {}",
                                         busy.count(),
                                         static_cast<double>(node->low_milliwatts) / 1000,
                                         static_cast<double>(node->high_milliwatts) / 1000,
                                         node->source);
    }
    energy.power.site.pue = site.provider->pue;
    energy.pue_source = site.provider->pue_source;
    energy.intensity = site.region->intensity;
    energy.intensity_source = site.intensity_source();
    energy.usd_per_kwh = options.usd_per_kwh;
    return energy;
}

/// A warning for each option without effect.
void note_unused(const CheckpointOptions& options, CheckpointQuestion& question) {
    const auto note = [&](bool unused, std::string_view unused_options, std::string_view without) {
        if (unused)
            question.warnings.push_back(
                fmt::format("{} without {}: no effect", unused_options, without));
    };
    note(options.mode != SaveMode::async && (options.interference || options.copy_rate),
         "--interference or --copy-rate",
         "--mode async");
    note(options.mode != SaveMode::incremental && (options.changed || options.full_every),
         "--changed or --full-every",
         "--mode incremental");
    note(options.region.empty() &&
             (!options.carbon_file.empty() || options.usd_per_kwh || options.utilization),
         "--carbon, --energy-price or --utilization",
         "--region");
}

/// Throws ScenarioError for unknown names and bad files, ModelError for impossible values,
/// UnknownFact if the GPU lacks a fact.
CheckpointQuestion question_of(const CheckpointOptions& options) {
    CheckpointQuestion question;
    note_unused(options, question);
    set_size(options, question);
    const FailureCatalogue failures = options.rates_file.empty()
                                          ? builtin_failure_rates()
                                          : read_failure_rates(options.rates_file);
    set_saving(options, failures.writes, question);
    set_failures(options, failures, question);
    set_restart(options, failures, question);
    set_storage(options, question);
    question.interval = options.interval;
    question.notice = options.notice;
    question.energy = energy_of(options, question.gpus);
    return question;
}

} // namespace

void add_checkpoint(Command model) {
    add_answer(
        model,
        "checkpoint",
        "how often to save; what failures, saves and storage cost",
        checkpoint_options(),
        [](const CheckpointOptions& options) { return checkpoint_answer(question_of(options)); });
}

}} // namespace bursar::tools
