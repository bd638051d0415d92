#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/errors/model_error.hpp"
#include "models/network/operator_log.hpp"
#include "models/training/job/check_layout.hpp"
#include "models/training/job/flops.hpp"
#include "models/training/job/precision_plan.hpp"
#include "models/training/step/generic_step.hpp"
#include "models/training/step/step_time.hpp"
#include "models/units/physics.hpp"

#include "reports/document/document.hpp"

#include "tools/command_line/messages.hpp"
#include "tools/model/job_options.hpp"
#include "tools/model/job_parts.hpp"
#include "tools/model/memory_parts.hpp"
#include "tools/model/subcommand.hpp"

namespace bursar { inline namespace tools {
namespace {

struct StepOptions {
    JobOptions job;
    std::optional<MoneyRate> price;
    std::string operators;
    bool anyway{};
};

OptionTable<StepOptions> step_options() {
    using T = StepOptions;
    return option_table<T>(
        {{&T::job, job_options()},
         {{"--price", &T::price, gpu_hour_price()},
          "price of a GPU, e.g. \"2.10 USD/gpu-h\"; also prints the cost"},
         {{"--operators", &T::operators, file_name()},
          "measured kernels and collectives of the GPU (CSV), in place of formulas"},
         {"--anyway", &T::anyway, "answer for a layout that does not fit, too"}});
}

struct StepQuestion {
    JobQuestion asked;
    bool anyway{};                          ///< also answer if it does not fit
    std::optional<double> usd_per_gpu_hour; ///< absent: no costs
};

struct Term {
    const char* key;
    const char* label;
    Seconds StepTime::*time;
    const char* meaning;
};

constexpr std::array step_terms{
    Term{"gemm_s",
         "matrix products",
         &StepTime::gemm,
         "layers and logits (models/FORMULAS.md section 4.1)"},
    Term{"attention_s", "attention core", &StepTime::attention, "scores and values (section 4.2)"},
    Term{"memory_bound_s",
         "memory-bound",
         &StepTime::memory_bound,
         "norms, activations, dropout, loss (section 4.3)"},
    Term{"recompute_s",
         "recompute",
         &StepTime::recompute,
         "activations computed again (section 4.5)"},
    Term{"host_s", "host", &StepTime::host, "GPU waits for launches (section 4.4)"},
    Term{"tensor_comm_s", "tensor parallel", &StepTime::tensor_comm, "exposed (section 4.7)"},
    Term{"context_comm_s", "context parallel", &StepTime::context_comm, "exposed (section 4.10)"},
    Term{"expert_comm_s", "expert parallel", &StepTime::expert_comm, "exposed (section 4.10)"},
    Term{"pipeline_comm_s", "between stages", &StepTime::pipeline_comm, "exposed (section 4.9)"},
    Term{"data_comm_s", "data parallel", &StepTime::data_comm, "gradients, exposed (section 4.8)"},
    Term{"offload_s",
         "offload",
         &StepTime::offload,
         "activations to and from the host, exposed (section 4.11)"},
    Term{"bubble_s",
         "bubble",
         &StepTime::bubble,
         "pipeline fill, drain, uneven stages (section 4.9)"},
    Term{"optimizer_s", "optimizer", &StepTime::optimizer, "update of the states (section 4.11)"},
    Term{"input_s", "input", &StepTime::input, "waiting for data (section 4.11)"},
    Term{"straggler_s",
         "straggler",
         &StepTime::straggler,
         "waiting for the slowest rank (section 4.11)"},
};

Facts terms_section(const StepTime& step) {
    Facts section{"terms", "Terms of the step", {}, true};
    for (const Term& term : step_terms)
        section.values.push_back(
            {term.key, term.label, (step.*term.time).count(), "s", term.meaning});
    return section;
}

Facts constants_section(const StackProfile& profile) {
    Facts section{"constants", fmt::format("Constants of {}", profile.name), {}, false};
    for (const ProfileConstant& constant : profile_constants())
        section.values.push_back({std::string{constant.name},
                                  std::string{constant.name},
                                  constant.get(profile),
                                  std::string{constant.unit},
                                  std::string{constant.meaning}});
    return section;
}

/// What products in a format of 8 or 4 bits reach in a step, where it is less than alone.
std::optional<Fact> rate_in_step(const TrainingJob& job, const Gpu& gpu) {
    const PrecisionPlan plan = plan_precision(gpu, job.precision, job.fp8_scaling);
    const double share = plan.rate_share(job.model);
    if (share == 1)
        return std::nullopt;
    const std::string format{name(job.precision)};
    std::vector<std::string> factors;
    const auto add = [&factors](double factor, bool is_fitted, const char* runs) {
        factors.push_back(
            fmt::format("{:g} {} {}", factor, is_fitted ? "fitted on" : "carried over from", runs));
    };
    if (plan.linear_share < 1)
        add(plan.linear_share,
            gpu.name.starts_with("H100"),
            "one fp8 run with scales per row on H100 (torchtitan)");
    if (plan.rate_share(job.model) < plan.linear_share)
        add(plan.power_share,
            gpu.name == "GB200" && job.precision == Precision::fp8 &&
                job.fp8_scaling != Fp8Scaling::per_row,
            "three dense runs in fp8 with scales per tensor on GB200 (Megatron-Bridge 25.11)");
    return Fact{"in_step",
                format + " in a step",
                (achievable_peak(gpu, job.precision) * share).count(),
                "FLOP/s",
                fmt::format("{:.4g} of the best product: {} (section 5)",
                            share,
                            fmt::join(factors, "; times "))};
}

/// in_step: rate_in_step.
Facts facts_section(const Cluster& cluster,
                    Precision precision,
                    std::optional<Fact> in_step = std::nullopt) {
    const Gpu& gpu = cluster.gpu;
    Facts section{"machine", fmt::format("Facts of {}", gpu.name), {}, false};
    const std::string format{name(precision)};
    section.values = {
        {"peak", format + " peak", dense_peak(gpu, precision).count(), "FLOP/s", "dense"},
        {"achievable",
         format + " achievable",
         achievable_peak(gpu, precision).count(),
         "FLOP/s",
         gpu.achievable_fraction[static_cast<std::size_t>(precision)]
             ? "best matrix product measured"
             : "not measured: 0.8 of the peak, as H100 and H200 (section 4.1)"},
        {"memory_bandwidth", "memory bandwidth", memory_bandwidth(gpu).count(), "B/s", ""}};
    if (in_step)
        section.values.insert(section.values.begin() + 2, std::move(*in_step));
    for (const LinkLevel& level : cluster.tree.levels)
        section.values.push_back({level.name + "_bandwidth",
                                  level.name + " bandwidth",
                                  level.bandwidth.count(),
                                  "B/s",
                                  fmt::format("of one GPU, one direction; collectives reach {:.0f} "
                                              "%, {:.1f} us per hop ({})",
                                              100 * level.efficiency,
                                              1e6 * level.latency.count(),
                                              level.source)});
    return section;
}

/// Tokens or samples of a step as rates and money.
void put_rates(Facts& section,
               const std::string& unit,
               double per_step,
               double gpus,
               Seconds step,
               const StepQuestion& question) {
    const double rate = per_step / step.count();
    section.values.push_back({unit + "_per_s", unit + " per second", rate, unit + "/s", ""});
    section.values.push_back({unit + "_per_s_per_gpu", "of one GPU", rate / gpus, unit + "/s", ""});
    if (!question.usd_per_gpu_hour)
        return;
    const double usd = *question.usd_per_gpu_hour * gpus * step.count() / 3600;
    section.values.push_back({"usd_per_step", "price of a step", usd, "USD", ""});
    section.values.push_back({"usd_per_million_" + unit,
                              fmt::format("price of a million {}", unit),
                              usd / per_step * 1e6,
                              "USD",
                              fmt::format("{:g} USD/gpu-h", *question.usd_per_gpu_hour)});
}

std::vector<std::string> sources_of(const StepQuestion& question) {
    const Gpu& gpu = question.asked.cluster.gpu;
    return {"network: " + question.asked.network_source,
            fmt::format("{}: {} ({})", gpu.name, gpu.source, gpu.date),
            fmt::format("{}: {}", question.asked.profile.name, question.asked.profile.source),
            "formulas: models/FORMULAS.md sections 2 and 4 (Narayanan 2021, Korthikanti 2022, "
            "Rajbhandari 2020, Dao "
            "2023)"};
}

void put_utilization(Facts& section, const StepQuestion& question, Seconds step) {
    const TrainingJob& job = question.asked.job;
    const double tokens = real(job.layout.global_batch()) * real(job.sequence);
    const double gpus = real(job.layout.gpus());
    const FlopRate peak = dense_peak(question.asked.cluster.gpu, job.precision);
    const auto flops = [&](FlopConvention convention) {
        return flops_per_token(job.model, job.sequence, convention) * tokens;
    };
    const Flops square = flops(FlopConvention::full_square);
    const Flops again = recomputed_flops(job.model, job.sequence, job.layout.recompute) * tokens;
    section.values.push_back({"model_flops_per_gpu",
                              "model FLOP/s of a GPU",
                              (square / step.count()).count() / gpus,
                              "FLOP/s",
                              "convention full-square"});
    section.values.push_back(
        {"mfu",
         "MFU",
         flops_utilization(square, step, gpus, peak),
         "fraction",
         "convention full-square: attention as if every token saw every other"});
    section.values.push_back({"mfu_causal",
                              "MFU, causal",
                              flops_utilization(flops(FlopConvention::causal), step, gpus, peak),
                              "fraction",
                              "convention causal: half of the attention"});
    section.values.push_back({"mfu_6n",
                              "MFU, 6N",
                              flops_utilization(flops(FlopConvention::six_n), step, gpus, peak),
                              "fraction",
                              "convention 6N: no attention"});
    section.values.push_back({"hfu",
                              "HFU",
                              flops_utilization(square + again, step, gpus, peak),
                              "fraction",
                              "convention full-square, with what is recomputed"});
}

/// Refuses a job that does not fit, or makes that the headline with --anyway. Warns if the GPU's
/// memory is not known.
void check_memory(const StepQuestion& question, Document& answer) {
    const Gpu& gpu = question.asked.cluster.gpu;
    if (!gpu.memory_gb) {
        answer.warnings.push_back("the catalogue states no memory of " + gpu.name +
                                  ": whether the job fits is not known");
        return;
    }
    const auto& generic = question.asked.generic;
    if (generic && !(generic->activations_per_sample > ByteVolume{}))
        answer.warnings.push_back("the activations of " + generic->name +
                                  " are not stated: whether a batch fits is not known");
    answer.headline = memory_verdict(question.asked).headline;
    if (!answer.headline.empty() && !question.anyway)
        throw ModelError{"memory", answer.headline, "--anyway answers all the same"};
}

Document transformer_answer(const StepQuestion& question) {
    const TrainingJob& job = question.asked.job;
    const StepTime step = step_time(job, question.asked.cluster, question.asked.profile);
    Document answer;
    check_memory(question, answer);
    Facts total{"step", "Step", {}, false};
    total.values.push_back({"step_s", "step time", step.total().count(), "s", "sum of the terms"});
    const double tokens = real(job.layout.global_batch()) * real(job.sequence);
    put_rates(total, "tokens", tokens, real(job.layout.gpus()), step.total(), question);
    put_utilization(total, question, step.total());
    Facts range = range_section(
        total,
        step_error_of(
            job, question.asked.cluster, question.asked.profile, question.asked.why_stack.empty()));
    answer.blocks = {job_section(question.asked),
                     std::move(total),
                     std::move(range),
                     terms_section(step),
                     facts_section(question.asked.cluster,
                                   job.precision,
                                   rate_in_step(job, question.asked.cluster.gpu)),
                     constants_section(question.asked.profile)};
    for (std::string& warning : layout_warnings(job, question.asked.cluster))
        answer.warnings.push_back(std::move(warning));
    return answer;
}

/// A generic network is data parallel.
GenericJob generic_job(const StepQuestion& question) {
    const TrainingJob& asked = question.asked.job;
    const Layout& layout = asked.layout;
    GenericJob job;
    job.network = *question.asked.generic;
    if (layout.gpus() != layout.data || layout.sharding != Sharding::none)
        throw ModelError{"layout",
                         job.network.name + " is trained by plain data parallel",
                         "give no other ranks and no sharding"};
    job.batch = layout.micro_batch;
    job.passes = layout.micro_batches;
    job.gpus = layout.gpus();
    job.precision = asked.precision;
    job.recipe = asked.recipe;
    job.compilation = asked.compilation;
    return job;
}

Document generic_answer(const StepQuestion& question) {
    const GenericJob job = generic_job(question);
    const StepTime step = generic_step_time(job, question.asked.cluster, question.asked.profile);
    const double samples = real(job.batch) * real(job.passes) * real(job.gpus);
    Facts about{"job", "Job", {}, false};
    about.values = {{"model", "network", job.network.name, "", ""},
                    {"parameters", "parameters", job.network.parameters, "", ""},
                    {"gpus", "GPUs", job.gpus, "", question.asked.cluster.gpu.name},
                    {"global_batch",
                     "global batch",
                     job.batch * job.passes * job.gpus,
                     "samples",
                     fmt::format("{} per pass, {} per GPU",
                                 job.batch,
                                 counted(static_cast<std::uint64_t>(job.passes), "pass"))},
                    {"precision", "precision", std::string{name(job.precision)}, "", ""},
                    {"stack", "stack", question.asked.profile.name, "", question.asked.why_stack}};
    Facts total{"step", "Step", {}, false};
    total.values.push_back({"step_s", "step time", step.total().count(), "s", "sum of the terms"});
    put_rates(total, "samples", samples, real(job.gpus), step.total(), question);
    total.values.push_back(
        {"mfu",
         "MFU",
         flops_utilization(job.network.flops_per_sample * samples,
                           step.total(),
                           real(job.gpus),
                           dense_peak(question.asked.cluster.gpu, job.precision)),
         "fraction",
         "forward and backward FLOP of the samples"});
    Document answer;
    check_memory(question, answer);
    Facts range = range_section(total, std::nullopt);
    answer.blocks = {std::move(about),
                     std::move(total),
                     std::move(range),
                     terms_section(step),
                     facts_section(question.asked.cluster, job.precision),
                     constants_section(question.asked.profile)};
    return answer;
}

/// The operators of the step, with where their times come from.
ReportTable operator_table(const OperatorLog& log) {
    ReportTable table{
        "operators",
        "Operators of the step: measured, or by formula",
        {{"operator", "operator", ""}, {"time_s", "time", "s"}, {"source", "from", ""}},
        {}};
    for (const auto& [operation, entry] : log.entries()) {
        std::vector<Cell> row{operation, std::string{}, entry.source};
        if (entry.time > Seconds{})
            row[1] = entry.time.count();
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// Every term of a step, its rates and utilization, and each constant with its source. Throws
/// ModelError for a job that does not fit, unless question.anyway; also ModelError and UnknownFact
/// as step_time does.
Document step_answer(const StepOptions& options) {
    JobOptions job = options.job;
    job.machines.nodes.operators = options.operators;
    StepQuestion question{job.fitting_question(), options.anyway, {}};
    const auto log = std::make_shared<OperatorLog>();
    std::string operators;
    if (!options.operators.empty()) {
        const OperatorTable table = job.machines.nodes.operators_of(question.asked.cluster.gpu);
        table.attach_to(question.asked.cluster, log);
        operators = source_text(table, options.operators);
    }
    if (options.price)
        question.usd_per_gpu_hour = usd(*options.price);
    Document answer =
        question.asked.generic ? generic_answer(question) : transformer_answer(question);
    answer.command = "model step";
    answer.sources = sources_of(question);
    if (!operators.empty()) {
        answer.add(operator_table(*log));
        answer.sources.push_back(std::move(operators));
    }
    return answer;
}

} // namespace

void add_step(Command model) {
    add_answer(model,
               "step",
               "how long one optimizer step takes, term by term",
               step_options(),
               step_answer);
}

}} // namespace bursar::tools
