#include <array>
#include <cmath>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "models/training/job/flops.hpp"
#include "models/training/job/names.hpp"

#include "scenarios/catalog/carbon.hpp"
#include "scenarios/catalog/failure_rates.hpp"
#include "scenarios/catalog/storage_tiers.hpp"
#include "scenarios/catalog/survival_curve.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/quantity_rule.hpp"

#include "tools/model/checkpoint_options.hpp"

namespace bursar { inline namespace tools {
namespace {

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

StorageTier tier_of(const StorageTiers& tiers, const std::string& name, const std::string& option) {
    const StorageTier* tier = tiers.find(name);
    if (tier == nullptr)
        fail_option(option,
                    mistake(fmt::format("no storage tier is named {}", in_quotes(name)),
                            {},
                            suggestion(name, tiers.names())));
    return *tier;
}

NamedFailureRates rates_of(const FailureCatalogue& failures, const std::string& name) {
    const NamedFailureRates* rates = failures.find(name);
    if (rates == nullptr)
        fail_option("--rates",
                    mistake(fmt::format("no failure rates are named {}", in_quotes(name)),
                            {},
                            suggestion(name, failures.names())));
    return *rates;
}

} // namespace

void CheckpointOptions::set_size(CheckpointQuestion& question) const {
    question.parameters = params_ > 0
                              ? Sourced{params_, command_line}
                              : Sourced{parameters_of(shape_.architecture()), shape_.source()};
    question.bytes_per_parameter = {
        checkpoint_bytes_per_parameter(recipe_, contents_),
        fmt::format("{}, {}: models/FORMULAS.md sections 3.1, 6.1",
                    recipe_names[static_cast<std::size_t>(recipe_)],
                    checkpoint_contents_names[static_cast<std::size_t>(contents_)])};
    question.size = checkpoint_size(question.parameters.value, question.bytes_per_parameter.value);
    question.saved = mode_ == Mode::incremental ? mean_saved(question.size, plan()) : question.size;
    question.gpus = static_cast<double>(*machines_.gpus());
    question.nodes = std::ceil(question.gpus / static_cast<double>(machines_.gpus_per_node()));
}

void CheckpointOptions::set_saving(CheckpointQuestion& question) const {
    question.mode = mode_names[static_cast<std::size_t>(mode_)];
    question.writers = writers_ > 0 ? writers_ : question.gpus;
    CheckpointWriters writers{question.writers, {}, {}};
    if (!writer_rate_.empty())
        writers.each = rate_of(writer_rate_, "--writer-rate");
    if (!write_.empty())
        writers.file_system = rate_of(write_, "--write");
    const bool given = writers.each || writers.file_system;
    if (!given)
        writers.file_system = bloom_write_rate;
    const ByteRate rate = write_rate(writers);
    question.write = {
        rate.count(),
        given ? "min(writers · each, store)"
              : "BLOOM-176B, 384 writers on GPFS: 2.3 TB in 40 s (stas00/ml-engineering, "
                "fault tolerance, 744d01e18b)"};
    const Seconds synchronise =
        synchronise_.empty() ? Seconds{} : time_of(synchronise_, "--synchronise", Zero::allowed);
    if (mode_ != Mode::async) {
        question.run.checkpoint = synchronous_checkpoint(question.saved, rate, synchronise);
        question.blocking_source = "synchronise + saved / write rate";
        return;
    }
    const ByteRate copy = copy_rate_.empty() ? pcie4_copy_rate : rate_of(copy_rate_, "--copy-rate");
    question.run.checkpoint = asynchronous_checkpoint({question.saved,
                                                       question.writers,
                                                       copy,
                                                       rate,
                                                       synchronise,
                                                       interference_.value_or(usual_interference)});
    question.blocking_source =
        fmt::format("synchronise + size / (writers · {:g} GB/s to the host{})",
                    copy.count() / bytes_per_gb,
                    copy_rate_.empty() ? ", PCIe 4: models/FORMULAS.md section 6.1" : "");
    question.interference_source =
        interference_ ? command_line : "0 - 3 %, models/FORMULAS.md section 6.1 [unverified]";
}

void CheckpointOptions::set_failures(CheckpointQuestion& question) const {
    if (!survival_.empty()) {
        question.survival = read_survival_curve(survival_);
        question.mtbf = {question.survival->mean().count(), "mean of " + survival_};
        return;
    }
    if (!mtbf_.empty()) {
        question.mtbf = {time_of(mtbf_, "--mtbf").count(), command_line};
        return;
    }
    std::string source = command_line;
    if (node_failures_ || job_failures_) {
        question.rates = FailureRates{job_failures_.value_or(0), node_failures_.value_or(0) / 1000};
    } else {
        const FailureCatalogue failures =
            rates_file_.empty() ? builtin_failure_rates() : read_failure_rates(rates_file_);
        const NamedFailureRates named =
            rates_.empty() ? failures.all.front() : rates_of(failures, rates_);
        question.rates = named.rates;
        source = fmt::format("{}: {}", named.name, named.source);
        if (question.nodes < named.min_nodes || question.nodes > named.max_nodes)
            question.warnings.push_back(
                fmt::format("failure rates \"{}\" were found on {:g} to {:g} nodes, not on {:g}; "
                            "--mtbf or --survival says it better",
                            named.name,
                            named.min_nodes,
                            named.max_nodes,
                            question.nodes));
    }
    question.mtbf = {
        mean_time_between_failures(*question.rates, question.nodes, preemptions_).count(),
        std::move(source)};
}

void CheckpointOptions::set_restart(CheckpointQuestion& question) const {
    question.run.mtbf = Seconds{question.mtbf.value};
    question.run.restart =
        restart_.empty() ? usual_restart : time_of(restart_, "--restart", Zero::allowed);
    question.restart_source = restart_.empty() ? "10 min, as in Daly 2006" : command_line;
    if (read_.empty())
        return;
    const ByteVolume loaded =
        mode_ == Mode::incremental ? mean_loaded(question.size, plan()) : question.size;
    question.load = load_time(loaded, 1, rate_of(read_, "--read"));
    question.run.restart += question.load;
    question.restart_source += ", and loading";
}

void CheckpointOptions::set_storage(CheckpointQuestion& question) const {
    question.length = run_.empty() ? usual_run : time_of(run_, "--run");
    question.retention.size = question.saved;
    question.retention.objects = question.writers;
    question.retention.keep = keep_;
    const StorageTiers tiers =
        tiers_file_.empty() ? builtin_storage_tiers() : read_storage_tiers(tiers_file_);
    question.retention.hot = tier_.empty() ? tiers.all.front() : tier_of(tiers, tier_, "--tier");
    if (!cold_tier_.empty())
        question.retention.cold = tier_of(tiers, cold_tier_, "--cold-tier");
}

std::optional<EnergyQuestion> CheckpointOptions::energy(double gpus) const {
    if (region_.empty())
        return std::nullopt;
    const CarbonCatalogue catalogue =
        carbon_file_.empty() ? builtin_carbon_catalogue() : read_carbon_catalogue(carbon_file_);
    const CarbonSite site = catalogue.region(region_, {"--region"}, {});
    const Gpu gpu = machines_.gpu();
    EnergyQuestion energy;
    energy.power.gpus = gpus;
    energy.region =
        fmt::format("{} {} ({})", site.provider->name, site.region->name, site.region->place);
    energy.power.gpu = power_of(gpu);
    energy.gpu_source = fmt::format("{}: {} ({})", gpu.name, gpu.source, gpu.date);
    energy.power.utilization = utilization_.value_or(default_utilization);
    energy.utilization_source =
        utilization_ ? command_line
                     : "82.5 % of TDP; 70 - 95 % in LLM training: models/FORMULAS.md section 8";
    energy.power.site.pue = site.provider->pue;
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

void CheckpointOptions::note_unused(CheckpointQuestion& question) const {
    const auto note = [&](bool unused, std::string_view options, std::string_view without) {
        if (unused)
            question.warnings.push_back(fmt::format("{} without {}: no effect", options, without));
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

CheckpointQuestion CheckpointOptions::question() const {
    CheckpointQuestion question;
    note_unused(question);
    set_size(question);
    set_saving(question);
    set_failures(question);
    set_restart(question);
    set_storage(question);
    if (!interval_.empty())
        question.interval = time_of(interval_, "--interval");
    if (!notice_.empty())
        question.notice = time_of(notice_, "--notice", Zero::allowed);
    question.energy = energy(question.gpus);
    return question;
}

}} // namespace bursar::tools
