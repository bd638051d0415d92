#include "tools/model/job_section.hpp"

#include <fmt/format.h>

#include "models/training/job/flops.hpp"
#include "models/training/job/names.hpp"
#include "models/training/job/ranks_text.hpp"

#include "reports/answer/human_number.hpp"

#include "tools/command_line/messages.hpp"

namespace bursar { inline namespace tools {
namespace {

std::string named(auto choice, const auto& names) {
    return std::string{names[static_cast<std::size_t>(choice)]};
}

std::string layout_note(const JobQuestion& asked) {
    if (!asked.chosen_of)
        return {};
    return fmt::format("none stated: the fastest of {} that fit", human_count(*asked.chosen_of));
}

} // namespace

AnswerSection job_section(const JobQuestion& asked) {
    const TrainingJob& job = asked.job;
    const Layout& layout = job.layout;
    AnswerSection section{"job", "Job", {}, false};
    section.values = {
        {"model", "network", job.model.name, "", ""},
        {"parameters", "parameters", parameters(job.model), "", "without norms and biases"},
        {"gpus", "GPUs", layout.gpus(), "", asked.cluster.gpu.name},
        {"layout", "layout", ranks_text(layout), "", layout_note(asked)},
        {"global_batch",
         "global batch",
         layout.global_batch(),
         "sequences",
         fmt::format("of {} tokens; {} per pass, {} per replica",
                     job.sequence,
                     layout.micro_batch,
                     counted(static_cast<std::uint64_t>(layout.micro_batches), "pass"))},
        {"precision", "precision", std::string{name(job.precision)}, "", ""},
        {"sharding", "sharding", named(layout.sharding, sharding_names), "", ""},
        {"sequence_parallel", "sequence parallel", layout.sequence_parallel, "", ""},
        {"recompute", "recompute", named(layout.recompute, recompute_names), "", ""},
        {"attention", "attention", named(job.attention, attention_names), "", ""},
        {"stack", "stack", asked.profile.name, "", asked.why_stack}};
    return section;
}

}} // namespace bursar::tools
