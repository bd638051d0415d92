#include "tools/model/layout_options.hpp"

#include <charconv>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"

#include "scenarios/reader/quantity_rule.hpp"

#include "tools/model/options/gpu_price.hpp"
#include "tools/model/options/precision_list.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::int64_t max_count = 1'000'000;

/// "A100-80GB:256@1.29 USD/gpu-h"
FleetOption fleet_option(const std::string& text, const ClusterOptions& machines) {
    const std::size_t colon = text.find(':');
    const std::size_t at = text.find('@');
    std::int64_t gpus = 0;
    const bool parts = colon != std::string::npos && at != std::string::npos && colon < at;
    if (parts) {
        const char* end = text.data() + at;
        const auto read = std::from_chars(text.data() + colon + 1, end, gpus);
        if (read.ec != std::errc{} || read.ptr != end)
            gpus = 0;
    }
    if (gpus < 1 || gpus > max_count)
        throw ModelError{"--fleet",
                         fmt::format("\"{}\" is not a fleet", text),
                         "write GPU:COUNT@PRICE, e.g. "
                         "H100:1024@2.10 USD/gpu-h"};
    return {machines.cluster_of(text.substr(0, colon), "--fleet"),
            gpus,
            gpu_hour_price(text.substr(at + 1), "--fleet")};
}

} // namespace

void LayoutOptions::add_to(Command command) {
    shape_.add_to(command);
    machines_.add_to(command);
    stack_.add_to(command);
    command
        .add_option("--global-batch",
                    global_batch_,
                    up_to(max_count),
                    "sequences per step (default: the number of GPUs)")
        .type_name("N");
    command
        .add_option("--largest-micro-batch",
                    max_micro_batch_,
                    up_to(max_count),
                    "largest micro-batch tried; powers of two")
        .type_name("N")
        .show_default();
    command.add_list("--precisions", precisions_, "number formats tried (default: --precision)")
        .type_name("NAME,...")
        .completes(all_precisions, NamesForm::list);
    command.add_option("--keep", keep_, up_to(100'000), "layouts shown")
        .type_name("N")
        .show_default();
    add_goal(command);
}

void LayoutOptions::add_goal(Command command) {
    command.add_option("--price", price_, "price of a GPU, e.g. \"2.10 USD/gpu-h\"")
        .type_name("RATE");
    command
        .add_option("--fleet",
                    fleets_,
                    "GPUs to choose from in place of --gpu, --gpus and --price; may be repeated: "
                    "\"H100:1024@2.10 USD/gpu-h\"")
        .type_name("GPU:N@RATE");
    command
        .add_option("--tokens", tokens_, any_size, "tokens to train; adds time and cost of the run")
        .type_name("N");
    command.add_option("--budget", budget_, any_size, "maximum cost of the run").type_name("USD");
    command.add_option("--deadline", deadline_, "maximum duration of the run, e.g. 30 d")
        .type_name("TIME");
}

std::vector<FleetOption> LayoutOptions::fleets() const {
    std::vector<FleetOption> found;
    for (const std::string& text : fleets_)
        found.push_back(fleet_option(text, machines_));
    if (found.empty())
        found.push_back({machines_.cluster(),
                         machines_.gpus().value_or(machines_.gpus_per_node()),
                         price_.empty() ? MoneyRate{} : gpu_hour_price(price_, "--price")});
    if (!tokens_ && (found.size() > 1 || budget_ || !deadline_.empty()))
        throw ModelError{"--tokens",
                         "missing, and money and time to train depend on it",
                         "give the tokens to train, e.g. 300e9"};
    return found;
}

std::optional<TrainingGoal> LayoutOptions::goal() const {
    if (!tokens_)
        return std::nullopt;
    TrainingGoal goal{*tokens_, budget_, std::nullopt};
    if (!deadline_.empty())
        goal.deadline =
            Seconds{static_cast<double>(quantity_of(deadline_, durations, "--deadline")) / 1000};
    return goal;
}

LayoutQuestion LayoutOptions::question() const {
    LayoutQuestion question;
    question.fleets = fleets();
    question.job.model = shape_.transformer();
    question.job.sequence = question.job.model.sequence;
    stack_.apply_to(question.job, question.fleets.front().cluster.gpu);
    const Gpu& gpu = question.fleets.front().cluster.gpu;
    ChosenStack chosen = stack_.chosen({.is_searched = true,
                                        .attention = question.job.attention,
                                        .precision = question.job.precision,
                                        .has_fp8 = supports(gpu, Precision::fp8)});
    question.profile = std::move(chosen.profile);
    question.why_stack = std::move(chosen.why);
    question.global_batch = global_batch_;
    question.max_micro_batch = max_micro_batch_;
    question.precisions = precisions_of(precisions_);
    question.keep = keep_;
    question.goal = goal();
    question.network_source = shape_.source();
    return question;
}

}} // namespace bursar::tools
