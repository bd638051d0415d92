#include "tools/model/grid_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

#include "tools/model/options/gpu_price.hpp"
#include "tools/model/options/precision_list.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::int64_t max_count = 1'000'000;
constexpr std::array<std::string_view, 2> metric_names{"time", "cost"};
constexpr std::array<std::string_view, 3> device_names{"auto", "cpu", "cuda"};

std::vector<std::int64_t> counts_of(const std::vector<std::string>& texts, const char* option) {
    std::vector<std::int64_t> counts;
    for (const std::string& text : texts) {
        std::int64_t count = 0;
        const char* end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, count);
        if (read.ec != std::errc{} || read.ptr != end || count < 1 || count > max_count)
            throw ModelError{option,
                             fmt::format("\"{}\" is not a count", text),
                             fmt::format("give whole numbers of 1 to {}", max_count)};
        if (std::ranges::find(counts, count) != counts.end())
            throw ModelError{option, fmt::format("{} is given twice", count), "give each once"};
        counts.push_back(count);
    }
    return counts;
}

const Architecture& network_of(const Architectures& known, const std::string& name) {
    const Architecture* found = known.find(name);
    if (found == nullptr)
        fail_input({"--models"},
                   {},
                   mistake(fmt::format("no network is named {}", in_quotes(name)),
                           {},
                           suggestion(name, known.names())));
    if (!std::holds_alternative<Transformer>(*found))
        throw ModelError{"--models",
                         fmt::format("{} is not a transformer", name),
                         "`bursar model step` knows what any network takes"};
    return *found;
}

/// A GPU's name and its price, of "H100@2.10 USD/gpu-h".
struct OfferText {
    std::string gpu;
    std::string price;
};

OfferText offer_text(const std::string& text) {
    const std::size_t at = text.find('@');
    if (at == std::string::npos || at == 0 || at + 1 == text.size())
        throw ModelError{"--offer",
                         fmt::format("\"{}\" is not an offer", text),
                         "write GPU@PRICE, e.g. H100@2.10 USD/gpu-h"};
    return {text.substr(0, at), text.substr(at + 1)};
}

} // namespace

void GridOptions::add_to(Command command) {
    command.add_list("--models", models_, "networks of `bursar catalog models`")
        .type_name("NAME,...")
        .completes([] { return builtin_architectures().names(); }, NamesForm::list)
        .required();
    command
        .add_option(
            "--architectures", architectures_, "network catalogue in place of the built-in one")
        .type_name("FILE");
    command
        .add_option("--sequence,--seq",
                    sequence_,
                    up_to(100'000'000),
                    "tokens per sample (default: each model's)")
        .type_name("N");
    command
        .add_option("--offer",
                    offers_,
                    "GPUs at a price; may be repeated, with another price too: "
                    "\"H100@2.10 USD/gpu-h\"")
        .type_name("GPU@RATE")
        .required();
    command.add_list("--gpus", gpus_, "numbers of GPUs").type_name("N,...").required();
    machines_.add_nodes(command);
    command
        .add_list("--global-batches", batches_, "sequences per step (default: the number of GPUs)")
        .type_name("N,...");
    stack_.add_to(command);
    command.add_list("--precisions", precisions_, "number formats tried (default: --precision)")
        .type_name("NAME,...")
        .completes(all_precisions, NamesForm::list);
    command
        .add_option("--largest-micro-batch",
                    max_micro_batch_,
                    up_to(max_count),
                    "largest micro-batch tried; powers of two")
        .type_name("N")
        .show_default();
    command.add_option("--tokens", tokens_, any_size, "tokens that a run trains on")
        .type_name("N")
        .required();
    command.add_choice<GridMetric>(
        "--by", metric_, metric_names, "what runs are ranked by (default: cost)");
    command.add_choice<GridDevice>(
        "--device",
        device_,
        device_names,
        "who works it out: a GPU from millions of points on, where there "
        "is one (auto, the default), or as named");
    command.add_option("--keep", keep_, up_to(100'000), "runs shown of each model")
        .type_name("N")
        .show_default();
}

void GridOptions::add_networks(GridQuestion& question) const {
    const Architectures known =
        architectures_.empty() ? builtin_architectures() : read_architectures(architectures_);
    for (const std::string& name : models_) {
        const Architecture& network = network_of(known, name);
        TrainingJob job;
        job.model = std::get<Transformer>(network);
        const auto is_named = [&](const TrainingJob& other) {
            return other.model.name == job.model.name;
        };
        if (std::ranges::any_of(question.axes.jobs, is_named))
            throw ModelError{
                "--models", fmt::format("{} is given twice", job.model.name), "give each once"};
        job.sequence = sequence_.value_or(job.model.sequence);
        question.axes.jobs.push_back(std::move(job));
        const ArchitectureOrigin& origin = known.origin(network);
        std::string source = fmt::format("{} ({})", origin.source, origin.date);
        if (std::ranges::find(question.sources, source) == question.sources.end())
            question.sources.push_back(std::move(source));
    }
}

std::vector<GridMachine> GridOptions::machines_of(const Cluster& cluster,
                                                  const TrainingJob& job,
                                                  std::vector<std::string>& warnings) const {
    std::vector<Precision> precisions = precisions_of(precisions_);
    if (precisions.empty())
        precisions = {job.precision};
    std::vector<GridMachine> machines;
    for (const Precision precision : precisions) {
        if (!supports(cluster.gpu, precision)) {
            warnings.push_back(
                fmt::format("{} has no {}: left out", cluster.gpu.name, name(precision)));
            continue;
        }
        GridMachine machine{cluster, precision, {}, {}};
        machine.profile = stack_
                              .chosen({.is_searched = true,
                                       .attention = job.attention,
                                       .precision = precision,
                                       .has_fp8 = supports(cluster.gpu, Precision::fp8)})
                              .profile;
        machine.overheads = memory_overheads_of(machine.profile, job.compilation);
        machines.push_back(std::move(machine));
    }
    return machines;
}

void GridOptions::add_offers(GridQuestion& question) const {
    GridAxes& axes = question.axes;
    // Which machines of the axes a GPU's name stands for: one for each of its formats.
    struct Known {
        std::string gpu;
        std::size_t first;
        std::size_t count;
    };
    std::vector<Known> seen;
    for (const std::string& text : offers_) {
        const OfferText offer = offer_text(text);
        const MoneyRate price = gpu_hour_price(offer.price, "--offer");
        auto found = std::ranges::find(seen, offer.gpu, &Known::gpu);
        if (found == seen.end()) {
            const Cluster cluster = machines_.cluster_of(offer.gpu, "--offer");
            TrainingJob job;
            stack_.apply_to(job, cluster.gpu);
            for (TrainingJob& network : axes.jobs) {
                network.attention = job.attention;
                network.recipe = job.recipe;
                network.compilation = job.compilation;
            }
            std::vector<GridMachine> added = machines_of(cluster, job, question.warnings);
            found = seen.insert(seen.end(), {offer.gpu, axes.machines.size(), added.size()});
            std::ranges::move(added, std::back_inserter(axes.machines));
        }
        for (std::size_t i = 0; i < found->count; ++i)
            axes.offers.push_back({static_cast<std::uint32_t>(found->first + i), price});
    }
    if (axes.offers.empty())
        throw ModelError{
            "--precisions", "no GPU of an --offer has any of them", "choose one that it has"};
}

GridQuestion GridOptions::question() const {
    GridQuestion question;
    add_networks(question);
    add_offers(question);
    question.axes.gpus = counts_of(gpus_, "--gpus");
    question.axes.batches = counts_of(batches_, "--global-batches");
    question.axes.max_micro_batch = max_micro_batch_;
    question.axes.tokens = tokens_;
    question.metric = metric_;
    question.keep = keep_;
    question.device = device_;
    return question;
}

}} // namespace bursar::tools
