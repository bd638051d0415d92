#include "tools/model/chinchilla_options.hpp"

#include <fmt/format.h>

#include "models/scaling/loss_surface.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/quantity_rule.hpp"

#include "tools/model/options/gpu_price.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::int64_t max_left_out = 1'000'000'000;
constexpr std::int64_t max_resamples = 1'000'000; // a quarter of an hour

/// An optional size above zero.
Option add_size(Command command, const char* flag, std::optional<double>& value, const char* help) {
    return command.add_option(flag, value, any_size, help).type_name("X");
}

} // namespace

std::vector<std::string> coefficient_ids() {
    std::vector<std::string> ids;
    for (const LossSurface& surface : published_loss_surfaces())
        ids.push_back(surface.id);
    for (const PowerLaw& law : published_power_laws())
        if (find_loss_surface(law.id) == nullptr)
            ids.push_back(law.id);
    return ids;
}

void PowerLawOptions::add_to(Command command) {
    Option kn = add_size(command, "--kn", params_factor, "a custom power law: N = kN C^a");
    Option a = command.add_option("--a", params_exponent, RealRange{-10, 10}, "its exponent of N")
                   .type_name("X")
                   .needs(kn);
    kn.needs(a);
    Option kd = add_size(command, "--kd", tokens_factor, "its D = kD C^b (what the budget leaves)")
                    .needs(kn);
    Option b = command.add_option("--b", tokens_exponent, RealRange{-10, 10}, "its exponent of D")
                   .type_name("X")
                   .needs(kd);
    kd.needs(b);
}

std::optional<PowerLaw> PowerLawOptions::law() const {
    if (!params_factor)
        return std::nullopt;
    PowerLaw law = consistent_law("own", *params_factor, *params_exponent, "--kn and --a");
    if (tokens_factor) {
        law.tokens_factor = *tokens_factor;
        law.tokens_exponent = *tokens_exponent;
        law.source = "--kn, --a, --kd and --b";
    }
    return law;
}

void GpuHoursOptions::add_to(Command command) {
    Option gpu =
        command.add_option("--gpu", gpu_, "also print hours of this GPU, of `bursar catalog`")
            .type_name("NAME")
            .completes([] { return builtin_catalogue().names(); });
    command
        .add_choice<Precision>("--precision",
                               precision_,
                               precision_names,
                               "number format that the GPU computes in (default: bf16)")
        .needs(gpu);
    command.add_option("--mfu", mfu_, any_size, "share of its peak that training reaches")
        .type_name("FRACTION")
        .show_default()
        .needs(gpu);
    add_size(command, "--read-mfu", reading_mfu_, "the same for reading prompts (default: --mfu)")
        .needs(gpu);
    add_size(command, "--write-mfu", writing_mfu_, "the same for writing answers (default: --mfu)")
        .needs(gpu);
    command.add_option("--price", price_, "also print the cost, e.g. \"2.50 USD/gpu-h\"")
        .type_name("RATE")
        .needs(gpu);
}

ComputePrice GpuHoursOptions::at(double utilisation) const {
    const Catalogue catalogue = builtin_catalogue();
    const Gpu* gpu = catalogue.find(gpu_);
    if (gpu == nullptr)
        fail_input({"--gpu"},
                   {},
                   mistake(fmt::format("no GPU is named {}", in_quotes(gpu_)),
                           {},
                           suggestion(gpu_, catalogue.names())));
    const double usd = price_.empty()
                           ? 1
                           : static_cast<double>(gpu_hour_price(price_, "--price").count()) /
                                 static_cast<double>(nano_usd_per_usd);
    return {
        .usd_per_gpu_hour = usd, .peak = dense_peak(*gpu, precision_), .utilisation = utilisation};
}

std::optional<GpuHoursQuestion> GpuHoursOptions::question() const {
    if (gpu_.empty())
        return std::nullopt;
    return GpuHoursQuestion{.gpu = gpu_,
                            .precision = precision_,
                            .training = at(mfu_),
                            .reading = at(reading_mfu_.value_or(mfu_)),
                            .writing = at(writing_mfu_.value_or(mfu_)),
                            .has_price = !price_.empty()};
}

void ChinchillaOptions::add_question(Command command) {
    add_size(command, "--flops", flops, "compute budget C, FLOP");
    add_size(command, "--params", params, "parameters N (active ones, in a mixture of experts)");
    add_size(command, "--tokens", tokens, "training tokens D");
    add_size(command, "--target-loss", target_loss, "loss to end at, nats per token");
    Option chosen = command
                        .add_option("--coefficients",
                                    coefficients,
                                    fmt::format("published loss surface or allocation ({}): {}",
                                                default_loss_surface().id,
                                                fmt::join(coefficient_ids(), ", ")))
                        .type_name("ID")
                        .completes(coefficient_ids);
    power_law.add_to(command);
    command.option("--kn").excludes(chosen);
}

void ChinchillaOptions::add_circumstances(Command command) {
    add_size(command,
             "--unique-tokens",
             unique_tokens,
             "distinct tokens available; further ones repeat");
    add_size(command, "--batch-tokens", batch_tokens, "tokens per step; also prints the steps");
    add_size(command, "--inference-tokens", read_tokens, "tokens that the model will serve");
    Option written = add_size(
        command, "--output-tokens", written_tokens, "tokens it will write besides, at --write-mfu");
    written.needs(command.option("--inference-tokens"));
    Option total = add_size(
        command, "--total-params", total_params, "total parameters of a mixture of experts");
    total.needs(command.option("--params"));
    command
        .add_option("--total-weight", total_weight, any_share, "their weight in the loss (a guess)")
        .type_name("FRACTION")
        .show_default()
        .needs(total);
    hours.add_to(command);
}

void ChinchillaOptions::add_fit(Command command) {
    Option fit =
        command
            .add_option("--fit",
                        runs_file,
                        "fit the surface to your own runs: CSV of params, tokens or flops, loss")
            .type_name("FILE");
    fit.excludes(command.option("--coefficients"));
    command
        .add_option("--drop-highest",
                    drop_highest,
                    WholeRange{0, max_left_out},
                    "drop the N runs of highest loss")
        .type_name("N")
        .needs(fit);
    Option bootstrap = command
                           .add_option("--bootstrap",
                                       resamples,
                                       up_to(max_resamples),
                                       "also print 95 % intervals, from N resamples")
                           .type_name("N")
                           .needs(fit);
    command.add_option("--seed", seed, any_seed, "seed of the resamples")
        .show_default()
        .needs(bootstrap);
}

void ChinchillaOptions::add_to(Command command) {
    add_question(command);
    add_circumstances(command);
    add_fit(command);
}

}} // namespace bursar::tools
