#pragma once

#include "scenarios/scenario/known_names.hpp"

namespace bursar::test {

/// Options of every kind, on policies without effect.
inline constexpr OptionInfo las_options[]{
    {"by", OptionKind::choice, {0}, "what counts", false, 0, 1, {"gpu-time", "time"}},
    {"levels", OptionKind::gpu_time, {3'250'000, 7'200'000}, "ends of the queues", true, 1},
    {.name = "times",
     .kind = OptionKind::duration,
     .fallback = {60'000},
     .meaning = "the same by time",
     .is_list = true,
     .only_with = "by",
     .only_with_value = 1},
};
inline constexpr OptionInfo aging_options[]{
    {"after", OptionKind::duration, {60'000}, "first step", false, 1000, 86'400'000},
    {"weight", OptionKind::milli, {1000}, "per step", false, 0, 2500},
    {"steps", OptionKind::count, {4}, "how many", false, 1, 8},
    {.name = "tries",
     .kind = OptionKind::count,
     .fallback = {99},
     .meaning = "how often",
     .min = 1,
     .max = 99,
     .max_is_no_limit = true},
    {.name = "history", .kind = OptionKind::gpu_time_file, .meaning = "what jobs took"},
};

inline constexpr OptionInfo packing_options[]{
    {"packing", OptionKind::choice, {0}, "whether jobs share GPUs", false, 0, 1, {"off", "on"}},
    {.name = "packing_gain",
     .kind = OptionKind::milli,
     .fallback = {1500},
     .meaning = "how much faster together",
     .max = 2000,
     .only_with = "packing",
     .only_with_value = 1},
};
inline constexpr OptionInfo staging_options[]{
    {"jobs", OptionKind::count, {8}, "how many", false, 1, 99},
};
inline constexpr OptionInfo noise_options[]{
    {"spread", OptionKind::choice, {0}, "how drawn", false, 0, 1, {"uniform", "lognormal"}},
    {"sigma", OptionKind::milli, {500}, "how much", false, 0, 9000},
};

/// An invented preset.
inline constexpr PresetSetting peer_settings[]{
    {"policy.queue", "{name: las, by: time, levels: [1 gpu-h]}", "its order"},
    {"policy.head", "skip", "its head"},
    {"startup", "7 s", "small gangs start fast", "1..8"},
    {"startup", "60 s", "large ones do not", "9.."},
    {"teardown", "1 s", "when preempting", "", true},
    {"policy.preemption", "order", "when preempting", "", true},
};

/// Names in the form of the registries.
inline const KnownNames& known_names() {
    static const KnownNames names{
        .policies = {{"queue", "fifo", "in order"},
                     {"queue", "sjf", "short first"},
                     {"queue", "las", "least first", "", "", las_options, {.preempts = true}},
                     {"queue", "aging", "old first", "", "", aging_options},
                     {"head", "block", "waits"},
                     {"head", "skip", "is passed over"},
                     {"backfill", "none", "nobody"},
                     {"backfill", "easy", "who delays no head"},
                     {"capacity", "count", "numbers"},
                     {"capacity", "nodes", "nodes"},
                     {"placement", "first-fit", "lowest"},
                     {"placement", "consolidated", "fullest"},
                     {"preemption", "none", "never"},
                     {"preemption", "order", "by order"},
                     {"staging", "none", "never"},
                     {"staging", "exact", "before known ends"},
                     {"staging", "class-history", "before likely ends", "", "", staging_options},
                     {"estimates", "exact", "known"},
                     {"estimates", "noisy", "drawn", "", "", noise_options},
                     {"allocator", "none", "one by one"},
                     {"allocator", "fifo-perf", "in order", "", "", packing_options},
                     {"allocator", "optimus", "more GPUs"},
                     {"allocator", "quotas", "within quotas"},
                     {"broker", "owned-first", "owned first"},
                     {"broker", "cheapest-including-risk", "cheapest"},
                     {"broker", "spot-with-fallback", "spot first"}},
        .presets = {{"peer", "a peer", "nowhere", peer_settings}},
        .trace_formats = {"csv", "philly-csv", "helios-cluster-log"},
        .synthetic = {"philly", "helios", "pai"}};
    return names;
}

} // namespace bursar::test
