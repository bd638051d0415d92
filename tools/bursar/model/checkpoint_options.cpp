#include "tools/bursar/model/checkpoint_options.hpp"

#include <array>
#include <cmath>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "models/training/flops.hpp"
#include "models/training/names.hpp"

#include "scenarios/catalog/carbon.hpp"
#include "scenarios/catalog/survival_curve.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/quantity_rule.hpp"

namespace bursar {
namespace {

constexpr std::array<std::string_view, 3> mode_names{"sync", "async", "incremental"};
const std::string command_line{"the command line"};

// Defaults, each printed with its source where it is used.
constexpr ByteRate bloom_write_rate{57e9};
constexpr ByteRate pcie4_copy_rate{20e9};
constexpr double usual_interference = 0.015;
constexpr IncrementalPlan usual_plan{0.1, 10}; // a guess: nobody published one
constexpr Seconds usual_restart{600};
constexpr Seconds usual_run{30 * seconds_per_day};

Seconds time_of(const std::string& text, const std::string& option, Zero zero = Zero::refused) {
    const std::int64_t ms = quantity_of(text, lifetimes, option, zero);
    return Seconds{static_cast<double>(ms) / 1000};
}

ByteRate rate_of(const std::string& text, const std::string& option) {
    return ByteRate{static_cast<double>(quantity_of(text, byte_rates, option))};
}

[[noreturn]] void fail_option(const std::string& option, Finding finding) {
    fail_input({option}, {}, std::move(finding));
}

double parameters_of(const Architecture& architecture) {
    if (const auto* network = std::get_if<GenericNetwork>(&architecture))
        return network->parameters;
    return parameters(std::get<Transformer>(architecture));
}

StorageTier tier_of(const std::string& name, const std::string& option) {
    const StorageTier* tier = find_storage_tier(name);
    if (tier == nullptr)
        fail_option(option,
                    mistake(fmt::format("no storage tier is called {}", in_quotes(name)),
                            {},
                            suggestion(name, storage_tier_names())));
    return *tier;
}

} // namespace

void CheckpointOptions::add_size_options(Command command) {
    shape_.add_to(command);
    machines_.add_to(command);
    command.remove_option("--node-network"); // checkpoints do not ask for it
    command.option("--gpus").required().description("GPUs of the job");
    command.add_option("--params", params_, "parameters of the model, in place of --model")
        .check(above_zero())
        .excludes(command.option("--model"))
        .type_name("N");
    command.add_choice<StateRecipe>(
        "--recipe",
        recipe_,
        recipe_names,
        "weights and optimizer states (mixed-adam: 14 B per parameter)");
    command.add_choice<CheckpointContents>(
        "--contents", contents_, checkpoint_contents_names, "what is saved (full)");
}

void CheckpointOptions::add_saving_options(Command command) {
    command.add_choice<Mode>("--mode", mode_, mode_names, "how checkpoints are written (sync)");
    command.add_option("--write", write_, "what the store takes in all (57 GB/s)")
        .type_name("RATE");
    command.add_option("--writers", writers_, "processes that write at once (one per GPU)")
        .check(above_zero())
        .type_name("N");
    command.add_option("--writer-rate", writer_rate_, "what one of them reaches (no limit)")
        .type_name("RATE");
    command.add_option("--copy-rate", copy_rate_, "async: from one GPU to its host (20 GB/s)")
        .type_name("RATE");
    command
        .add_option("--interference",
                    interference_,
                    "async: share of its speed that training loses to a write (0.015)")
        .check(within(0.0, 1.0))
        .type_name("SHARE");
    command.add_option("--synchronise", synchronise_, "for all ranks to stop together (0 s)")
        .type_name("TIME");
    command
        .add_option("--changed",
                    changed_,
                    "incremental: share of the bytes that changes between two checkpoints (0.1)")
        .check(within(0.0, 1.0))
        .type_name("SHARE");
    command.add_option("--full-every", full_every_, "incremental: one of so many is full (10)")
        .check(within(1.0, 1e6))
        .type_name("N");
}

void CheckpointOptions::add_failure_options(Command command) {
    command
        .add_option("--rates",
                    rates_,
                    fmt::format("published failure rates: {} (the first)",
                                fmt::join(failure_rate_names(), ", ")))
        .type_name("NAME");
    command
        .add_option(
            "--node-failures-per-1000-days", node_failures_, "failures of 1000 nodes in a day")
        .excludes(command.option("--rates"))
        .type_name("N");
    command
        .add_option("--job-failures-per-day", job_failures_, "failures that do not grow with size")
        .excludes(command.option("--rates"))
        .type_name("N");
    command.add_option("--preemptions-per-day", preemptions_, "of the whole job, on top (0)")
        .check(not_negative())
        .type_name("N");
    Option mtbf = command.add_option("--mtbf", mtbf_, "mean time between failures of the job");
    Option survival =
        command.add_option("--survival", survival_, "CSV of a curve: time_s,surviving_share");
    mtbf.type_name("TIME");
    survival.type_name("FILE").excludes(mtbf);
    for (const char* other : {"--rates",
                              "--node-failures-per-1000-days",
                              "--job-failures-per-day",
                              "--preemptions-per-day"}) {
        mtbf.excludes(command.option(other));
        survival.excludes(command.option(other));
    }
    command
        .add_option(
            "--restart", restart_, "from a failure to training again, loading aside (10 min)")
        .type_name("TIME");
    command.add_option("--read", read_, "rate at which a checkpoint is loaded (at once)")
        .type_name("RATE");
}

void CheckpointOptions::add_use_options(Command command) {
    command.add_option("--interval", interval_, "a compute interval to judge beside the best ones")
        .type_name("TIME");
    command.add_option("--notice", notice_, "in advance of an interruption, as of spot capacity")
        .type_name("TIME");
    command.add_option("--run", run_, "length of the run (30 d)").type_name("TIME");
    command
        .add_option(
            "--tier",
            tier_,
            fmt::format("where checkpoints stay: {}", fmt::join(storage_tier_names(), ", ")))
        .show_default()
        .type_name("NAME");
    command.add_option("--cold-tier", cold_tier_, "where older checkpoints go (they are deleted)")
        .type_name("NAME");
    command.add_option("--keep", keep_, "checkpoints in the first tier")
        .check(above_zero())
        .show_default()
        .type_name("N");
    command.add_option("--region", region_, "cloud region, for energy and CO2e").type_name("NAME");
    command.add_option("--carbon", carbon_file_, "carbon catalogue in place of the built-in one")
        .type_name("FILE");
    command
        .add_option("--utilization", utilization_, "busy share of the GPUs (0.794: 82.5 % of TDP)")
        .check(within(0.0, 1.0))
        .type_name("SHARE");
    command.add_option("--energy-price", energy_price_, "e.g. 0.08 USD/kWh").type_name("PRICE");
}

void CheckpointOptions::add_to(Command command) {
    add_size_options(command);
    add_saving_options(command);
    add_failure_options(command);
    add_use_options(command);
}

void CheckpointOptions::set_size(CheckpointStudy& study) const {
    study.parameters = params_ > 0 ? Sourced{params_, command_line}
                                   : Sourced{parameters_of(shape_.architecture()), shape_.source()};
    study.bytes_per_parameter = {
        checkpoint_bytes_per_parameter(recipe_, contents_),
        fmt::format("{}, {}: models/FORMULAS.md sections 3.1, 6.1",
                    recipe_names[static_cast<std::size_t>(recipe_)],
                    checkpoint_contents_names[static_cast<std::size_t>(contents_)])};
    study.size = checkpoint_size(study.parameters.value, study.bytes_per_parameter.value);
    study.saved = mode_ == Mode::incremental ? mean_saved(study.size, plan()) : study.size;
    study.gpus = static_cast<double>(*machines_.gpus());
    study.nodes = std::ceil(study.gpus / static_cast<double>(machines_.gpus_per_node()));
}

void CheckpointOptions::set_saving(CheckpointStudy& study) const {
    study.mode = mode_names[static_cast<std::size_t>(mode_)];
    study.writers = writers_ > 0 ? writers_ : study.gpus;
    CheckpointWriters writers{study.writers, {}, {}};
    if (!writer_rate_.empty())
        writers.each = rate_of(writer_rate_, "--writer-rate");
    if (!write_.empty())
        writers.file_system = rate_of(write_, "--write");
    const bool given = writers.each || writers.file_system;
    if (!given)
        writers.file_system = bloom_write_rate;
    const ByteRate rate = write_rate(writers);
    study.write = {rate.count(),
                   given
                       ? "min(writers · each, store)"
                       : "BLOOM-176B, 384 writers on GPFS: 2.3 TB in 40 s (stas00/ml-engineering, "
                         "fault tolerance, 744d01e18b)"};
    const Seconds synchronise =
        synchronise_.empty() ? Seconds{} : time_of(synchronise_, "--synchronise", Zero::allowed);
    if (mode_ != Mode::async) {
        study.run.checkpoint = synchronous_checkpoint(study.saved, rate, synchronise);
        study.blocking_source = "synchronise + saved / write rate";
        return;
    }
    const ByteRate copy = copy_rate_.empty() ? pcie4_copy_rate : rate_of(copy_rate_, "--copy-rate");
    study.run.checkpoint = asynchronous_checkpoint({study.saved,
                                                    study.writers,
                                                    copy,
                                                    rate,
                                                    synchronise,
                                                    interference_.value_or(usual_interference)});
    study.blocking_source =
        fmt::format("synchronise + size / (writers · {:g} GB/s to the host{})",
                    copy.count() / bytes_per_gb,
                    copy_rate_.empty() ? ", PCIe 4: models/FORMULAS.md section 6.1" : "");
    study.interference_source =
        interference_ ? command_line : "0 - 3 %, models/FORMULAS.md section 6.1 [unverified]";
}

void CheckpointOptions::set_failures(CheckpointStudy& study) const {
    if (!survival_.empty()) {
        study.survival = read_survival_curve(survival_);
        study.mtbf = {study.survival->mean().count(), "mean of " + survival_};
        return;
    }
    if (!mtbf_.empty()) {
        study.mtbf = {time_of(mtbf_, "--mtbf").count(), command_line};
        return;
    }
    std::string source = command_line;
    if (node_failures_ || job_failures_) {
        study.rates = FailureRates{job_failures_.value_or(0), node_failures_.value_or(0) / 1000};
    } else {
        const std::string name = rates_.empty() ? failure_rate_names().front() : rates_;
        const NamedFailureRates* named = find_failure_rates(name);
        if (named == nullptr)
            fail_option("--rates",
                        mistake(fmt::format("no failure rates are called {}", in_quotes(name)),
                                {},
                                suggestion(name, failure_rate_names())));
        study.rates = named->rates;
        source = fmt::format("{}: {}", named->name, named->source);
        if (study.nodes < named->least_nodes || study.nodes > named->most_nodes)
            study.warnings.push_back(
                fmt::format("failure rates \"{}\" were found on {:g} to {:g} nodes, not on {:g}; "
                            "--mtbf or --survival says it better",
                            name,
                            named->least_nodes,
                            named->most_nodes,
                            study.nodes));
    }
    study.mtbf = {mean_time_between_failures(*study.rates, study.nodes, preemptions_).count(),
                  std::move(source)};
}

void CheckpointOptions::set_restart(CheckpointStudy& study) const {
    study.run.mtbf = Seconds{study.mtbf.value};
    study.run.restart =
        restart_.empty() ? usual_restart : time_of(restart_, "--restart", Zero::allowed);
    study.restart_source = restart_.empty() ? "10 min, as in Daly 2006" : command_line;
    if (read_.empty())
        return;
    const ByteVolume loaded =
        mode_ == Mode::incremental ? mean_loaded(study.size, plan()) : study.size;
    study.load = load_time(loaded, 1, rate_of(read_, "--read"));
    study.run.restart += study.load;
    study.restart_source += ", and loading";
}

void CheckpointOptions::set_storage(CheckpointStudy& study) const {
    study.length = run_.empty() ? usual_run : time_of(run_, "--run");
    study.retention.size = study.saved;
    study.retention.objects = study.writers;
    study.retention.keep = keep_;
    study.retention.hot = tier_of(tier_, "--tier");
    if (!cold_tier_.empty())
        study.retention.cold = tier_of(cold_tier_, "--cold-tier");
}

std::optional<EnergyStudy> CheckpointOptions::energy() const {
    if (region_.empty())
        return std::nullopt;
    const CarbonCatalogue catalogue =
        carbon_file_.empty() ? builtin_carbon_catalogue() : read_carbon_catalogue(carbon_file_);
    const CarbonSite site = catalogue.region(region_, {"--region"}, {});
    const Gpu gpu = machines_.gpu();
    EnergyStudy energy;
    energy.region =
        fmt::format("{} {} ({})", site.provider->name, site.region->name, site.region->place);
    energy.gpu = power_of(gpu);
    energy.gpu_source = fmt::format("{}: {} ({})", gpu.name, gpu.source, gpu.date);
    energy.utilization = utilization_.value_or(default_utilization);
    energy.utilization_source =
        utilization_ ? command_line
                     : "82.5 % of TDP; 70 - 95 % in LLM training: models/FORMULAS.md section 8";
    energy.site.pue = site.provider->pue;
    energy.pue_source = site.provider->pue_source;
    energy.intensity = site.region->intensity;
    energy.intensity_source = site.intensity_source();
    if (!energy_price_.empty())
        energy.usd_per_kwh = static_cast<double>(quantity_of(
                                 energy_price_, energy_prices, "--energy-price", Zero::allowed)) /
                             static_cast<double>(nano_usd_per_usd);
    return energy;
}

IncrementalPlan CheckpointOptions::plan() const {
    return {changed_.value_or(usual_plan.changed_share),
            full_every_.value_or(usual_plan.full_every)};
}

void CheckpointOptions::note_unused(CheckpointStudy& study) const {
    const auto note = [&](bool unused, std::string_view options, std::string_view without) {
        if (unused)
            study.warnings.push_back(fmt::format("{} without {}: no effect", options, without));
    };
    note(mode_ != Mode::async && (interference_ || !copy_rate_.empty()),
         "--interference or --copy-rate",
         "--mode async");
    note(mode_ != Mode::incremental && (changed_ || full_every_),
         "--changed or --full-every",
         "--mode incremental");
    note(region_.empty() && (!carbon_file_.empty() || !energy_price_.empty() || utilization_),
         "--carbon, --energy-price or --utilization",
         "--region");
}

CheckpointStudy CheckpointOptions::study() const {
    CheckpointStudy study;
    note_unused(study);
    set_size(study);
    set_saving(study);
    set_failures(study);
    set_restart(study);
    set_storage(study);
    if (!interval_.empty())
        study.interval = time_of(interval_, "--interval");
    if (!notice_.empty())
        study.notice = time_of(notice_, "--notice", Zero::allowed);
    study.energy = energy();
    return study;
}

} // namespace bursar
