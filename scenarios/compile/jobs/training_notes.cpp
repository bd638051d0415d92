#include "scenarios/compile/jobs/training_notes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "models/convergence/critical_batch.hpp"
#include "models/scaling/loss_surface.hpp"
#include "models/training/job/layout.hpp"
#include "models/training/job/training_job.hpp"

#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace scenarios {
namespace {

void add_once(std::vector<std::string>& notes, std::string note) {
    if (std::ranges::find(notes, note) == notes.end())
        notes.push_back(std::move(note));
}

void note_pool(const Scenario& scenario,
               const TrainingSpec& spec,
               const TrainedOn& on,
               std::vector<std::string>& assumed) {
    const PoolSpec& pool = scenario.fleet[on.pool];
    const std::string_view model = name(*spec.model);
    add_once(assumed,
             fmt::format("{}: step times are those of software stack {}{}",
                         model,
                         on.stack,
                         on.why_stack.empty()
                             ? ""
                             : fmt::format(" (no stack is named, and {})", on.why_stack)));
    add_once(assumed,
             fmt::format("memory of training: workspaces of {:.9g} GiB and {:.9g} % of "
                         "fragmentation [unverified]",
                         on.overheads.workspace.count() / bytes_per_gib,
                         100 * (on.overheads.fragmentation - 1)));
    for (const std::string& setting : on.assumed)
        add_once(assumed, fmt::format("{} on {}: {}", model, pool.gpu, setting));
    if (!spec.precision)
        add_once(
            assumed,
            fmt::format("{} on {}: precision {}{}",
                        model,
                        pool.gpu,
                        name(on.precision),
                        scenario.policy.precision == precision_as_given
                            ? ""
                            : fmt::format(" (policy.precision: {})", scenario.policy.precision)));
    if (on.is_network_assumed)
        add_once(assumed,
                 fmt::format("pool {}: {:.9g} Gbit/s of network per node, usual for {}",
                             pool.name,
                             on.node_network.count() * 8 / 1e9,
                             pool.gpu));
}

/// Notes the layouts that were searched for a class on a pool, or their number if they are too many
/// to read (`bursar check` prints them all).
void note_layouts(const Scenario& scenario,
                  const TrainingSpec& spec,
                  const std::vector<const TrainedOn*>& searched,
                  std::vector<std::string>& assumed) {
    constexpr std::size_t max_listed = 4;
    if (searched.size() > max_listed) {
        const auto [smallest, largest] = std::ranges::minmax(searched, {}, &TrainedOn::gpus);
        add_once(assumed,
                 fmt::format("{} on {} gang sizes of {} to {} GPUs of pool {}: the "
                             "fastest layouts found that fit",
                             name(*spec.model),
                             searched.size(),
                             smallest->gpus,
                             largest->gpus,
                             scenario.fleet[smallest->pool].name));
        return;
    }
    for (const TrainedOn* on : searched)
        add_once(assumed,
                 fmt::format("{} on {} GPUs of pool {}: layout {}, the fastest found that fits",
                             name(*spec.model),
                             on->gpus,
                             scenario.fleet[on->pool].name,
                             describe(on->layout)));
}

/// In the order of `trained`, then of its pools.
std::vector<ModelledGang> modelled_gangs(const Scenario& scenario,
                                         const std::vector<TrainedGang>& trained) {
    std::vector<ModelledGang> gangs;
    for (const TrainedGang& gang : trained)
        for (const TrainedOn& on : gang.pools) {
            const double ms =
                std::min(std::ceil(on.total().count() * 1000.0), static_cast<double>(horizon_ms));
            gangs.push_back({gang.plan_class,
                             static_cast<std::uint32_t>(on.pool),
                             static_cast<std::uint32_t>(on.gpus),
                             Duration{static_cast<std::int64_t>(ms)},
                             std::string{name(*scenario.classes[gang.job_class].training.model)},
                             on.stack,
                             on.error ? std::optional{on.error->low} : std::nullopt,
                             on.error ? std::optional{on.error->high} : std::nullopt});
        }
    return gangs;
}

} // namespace

std::string describe(const Layout& layout) {
    std::string text = ranks_text(layout);
    text += fmt::format(", micro-batch {} x {}", layout.micro_batch, layout.micro_batches);
    if (layout.sharding != Sharding::none)
        text += fmt::format(", {}", sharding_names[static_cast<std::size_t>(layout.sharding)]);
    if (layout.recompute.every > 1)
        text += fmt::format(", recompute {} layers", recompute_text(layout.recompute));
    else if (layout.recompute != Recompute::none)
        text += fmt::format(", {} recompute", recompute_text(layout.recompute));
    if (layout.offload_layers > 0)
        text += fmt::format(", {} layers of a stage offloaded", layout.offload_layers);
    if (layout.sequence_parallel)
        text += ", sequence parallel";
    return text;
}

void note_training(const Scenario& scenario, Compiled& compiled) {
    compiled.modelled = modelled_gangs(scenario, compiled.trained);
    std::map<std::pair<std::size_t, std::size_t>, std::vector<const TrainedOn*>> searched;
    for (const TrainedGang& gang : compiled.trained) {
        const TrainingSpec& spec = scenario.classes[gang.job_class].training;
        for (const TrainedOn& on : gang.pools) {
            note_pool(scenario, spec, on, compiled.notes.assumed);
            if (on.is_layout_searched)
                searched[{gang.job_class, on.pool}].push_back(&on);
            for (const std::string& warning : on.warnings)
                add_once(compiled.notes.warnings,
                         fmt::format("{} on {} GPUs of pool {}: {}",
                                     name(*spec.model),
                                     on.gpus,
                                     scenario.fleet[on.pool].name,
                                     warning));
        }
        if (spec.goal->kind == GoalKind::target_loss)
            add_once(compiled.notes.assumed,
                     fmt::format("{}: the loss follows {}, with batches of {:.2g} tokens ({})",
                                 name(*spec.model),
                                 default_loss_surface().source,
                                 surface_batch.count(),
                                 surface_batch_source));
        for (const RefusedPool& refused : gang.refused)
            if (!gang.pools.empty())
                compiled.notes.warnings.push_back(
                    fmt::format("{} on {} GPUs cannot run in pool {}: {}",
                                name(*spec.model),
                                gang.pools.front().gpus,
                                scenario.fleet[refused.pool].name,
                                refused.why));
    }
    for (const auto& [class_and_pool, layouts] : searched)
        note_layouts(scenario,
                     scenario.classes[class_and_pool.first].training,
                     layouts,
                     compiled.notes.assumed);
}

}} // namespace bursar::scenarios
