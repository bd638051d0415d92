#include "tools/bursar/training_summary.hpp"

#include <fmt/format.h>

#include "scenarios/compile/jobs/training_notes.hpp"

#include "reports/text/plus_minus.hpp"

#include "tools/command_line/messages.hpp"
#include "tools/command_line/standard_output.hpp"

namespace bursar { inline namespace tools {
namespace {

void print_gang(const Scenario& scenario, const TrainingSpec& spec, const TrainedOn& on) {
    constexpr double seconds_per_day = 86400.0;
    put_text("  {} on {} of {}: {} of {:.4g} s, {:.4g} days {}\n",
             name(*spec.model),
             counted(static_cast<std::uint64_t>(on.gpus), "GPU"),
             scenario.fleet[on.pool].name,
             counted(static_cast<std::uint64_t>(on.steps), "step"),
             on.step.total().count(),
             on.total().count() / seconds_per_day,
             plus_minus(on.held_out_error));
    put_text("    {}; {}, {}\n", describe(on.layout), name(on.precision), on.stack);
    const Seconds whole = on.step.total();
    put_text("    stalls: comm {:.1f} %, bubble {:.1f} %, input {:.1f} %, sync {:.1f} %\n",
             100 * (on.step.communication() / whole),
             100 * (on.step.bubble / whole),
             100 * (on.step.input / whole),
             100 * (on.step.straggler / whole));
    put_text("    memory {:.1f} of {:.1f} GB usable per GPU, checkpoint {:.4g} GB\n",
             on.memory.total().count() / bytes_per_gb,
             on.usable.count() / bytes_per_gb,
             on.checkpoint.count() / bytes_per_gb);
}

} // namespace

void print_training(const Scenario& scenario, const Compiled& compiled) {
    if (!compiled.trained.empty())
        put_text("training\n");
    for (const TrainedGang& gang : compiled.trained)
        for (const TrainedOn& on : gang.pools)
            print_gang(scenario, scenario.classes[gang.job_class].training, on);
}

}} // namespace bursar::tools
