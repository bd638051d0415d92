#include "policies/choice/presets.hpp"

#include <array>

namespace bursar { inline namespace policies {
namespace {

constexpr std::array tiresias{
    PresetSetting{"policy.queue",
                  "{name: las, by: gpu-time, levels: [3250 gpu-s, 7200 gpu-s], wake: tiresias}",
                  "queue limits of its trace runs; level changes are seen at events, the next of "
                  "which it forecasts from time where GPU time is meant"},
    PresetSetting{"policy.head", "skip", "each pass starts every job that fits"},
    PresetSetting{"policy.capacity", "count", "its `count` scheme only counts free GPUs"},
    PresetSetting{"restart", "0 s", "preempted jobs resume at no cost"},
};

constexpr std::array tiresias_gittins{
    PresetSetting{"policy.queue",
                  "{name: gittins, index: tiresias, delta: 3250 gpu-s, levels: 4096, "
                  "queues: [3250 gpu-s, 7200 gpu-s], ties: submit, wake: tiresias}",
                  "its queues of las, each sorted by its index; name its GPU times in "
                  "`distribution`, or the workload's are taken"},
    PresetSetting{"policy.head", "skip", "each pass starts every job that fits"},
    PresetSetting{"policy.capacity", "count", "its `count` scheme only counts free GPUs"},
    PresetSetting{"restart", "0 s", "preempted jobs resume at no cost"},
};

constexpr std::array helios{
    PresetSetting{"policy.queue", "srtf", "shortest remaining work first, including restarts"},
    PresetSetting{"policy.placement",
                  "consolidated",
                  "empty nodes, and the fullest node with room for the rest"},
    PresetSetting{"policy.preemption",
                  "{name: order, unfinished_recovery: owed}",
                  "a job preempted during a restart has the rest of it yet to do, and another one",
                  "",
                  true},
    PresetSetting{"restart", "7 s", "work added by each preemption, by gang size", "1"},
    PresetSetting{"restart", "30 s", "work added by each preemption", "2..8"},
    PresetSetting{"restart", "60 s", "work added by each preemption", "9.."},
    PresetSetting{"teardown",
                  "1 s",
                  "its preempting schedulers step by seconds: GPUs are free one second after the "
                  "work ended",
                  "",
                  true},
};

constexpr std::array all_presets{
    PresetInfo{"tiresias",
               "two-dimensional LAS on counted GPUs, as in its trace-driven simulator",
               "Gu et al., NSDI 2019; SymbioticLab/Tiresias, run_sim.py (dlas-gpu)",
               tiresias},
    PresetInfo{"tiresias-gittins",
               "the same with the Gittins index inside its queues, as in its simulator",
               "Gu et al., NSDI 2019; SymbioticLab/Tiresias, run_sim.py (dlas-gpu-gittins)",
               tiresias_gittins},
    PresetInfo{"helios",
               "SRTF with costs of preemption on consolidated nodes, as in its simulator",
               "Hu et al., SC 2021; S-Lab-System-Group/HeliosArtifact",
               helios},
};

} // namespace

std::span<const PresetInfo> presets() {
    return all_presets;
}

}} // namespace bursar::policies
