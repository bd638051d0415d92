#include "scenarios/trace_formats/slurm_tres.hpp"

#include <algorithm>
#include <array>

#include "models/units/units.hpp"

#include "scenarios/traces/text/numbers.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::string_view gres_prefix = "gres/";
/// Old versions of sacct print the number of the plugin, which has the letters "gpu", for its name.
constexpr std::string_view gpu_plugin = "7696487";

/// Sizes are in MiB where they have no unit.
constexpr std::array<AmountUnit, 6> sizes_in_mib{{{"", 1, 1},
                                                  {"K", 1, 1024},
                                                  {"M", 1, 1},
                                                  {"G", 1024, 1},
                                                  {"T", 1024 * 1024, 1},
                                                  {"P", 1024LL * 1024 * 1024, 1}}};
constexpr std::array<AmountUnit, 4> cpus_in_thousandths{
    {{"", 1000, 1}, {"K", 1'000'000, 1}, {"M", 1'000'000'000, 1}, {"m", 1, 1}}};

/// A MIG profile: "3g.20gb" has `gpu_slices` 3 and `memory_gb` 20.
struct MigProfile {
    std::int64_t gpu_slices{};
    std::int64_t memory_gb{};
    std::int64_t slices_of_gpu{};  ///< 7, or 4 for A30 and RTX PRO 6000
    std::int64_t memory_eighths{}; ///< its part of the GPU's memory
};

/// Source: NVIDIA Multi-Instance GPU User Guide, "Supported MIG Profiles", read on 2026-11-27;
/// B300 from the configuration of NVIDIA's GPU operator; 1g.11gb is a name of drivers for 1g.12gb.
/// Names do not say the GPU: 1g.10gb is that of A100 80 GB and H100 80 GB (on A100 40 GB it takes a
/// quarter of the memory), 1g.24gb that of H100 96 GB and RTX PRO 6000, not of RTX PRO 5000.
constexpr std::array mig_profiles{
    // A100 40 GB
    MigProfile{1, 5, 7, 1},
    MigProfile{2, 10, 7, 2},
    MigProfile{3, 20, 7, 4},
    MigProfile{4, 20, 7, 4},
    MigProfile{7, 40, 7, 8},
    // A100 and H100 80 GB
    MigProfile{1, 10, 7, 1},
    MigProfile{1, 20, 7, 2},
    MigProfile{2, 20, 7, 2},
    MigProfile{3, 40, 7, 4},
    MigProfile{4, 40, 7, 4},
    MigProfile{7, 80, 7, 8},
    // H100 94 GB, H100 96 GB, H20 and GH200 96 GB
    MigProfile{1, 11, 7, 1},
    MigProfile{1, 12, 7, 1},
    MigProfile{1, 24, 7, 2},
    MigProfile{2, 24, 7, 2},
    MigProfile{3, 47, 7, 4},
    MigProfile{3, 48, 7, 4},
    MigProfile{4, 47, 7, 4},
    MigProfile{4, 48, 7, 4},
    MigProfile{7, 94, 7, 8},
    MigProfile{7, 96, 7, 8},
    // H200, GH200 144 GB
    MigProfile{1, 18, 7, 1},
    MigProfile{1, 35, 7, 2},
    MigProfile{1, 36, 7, 2},
    MigProfile{2, 35, 7, 2},
    MigProfile{2, 36, 7, 2},
    MigProfile{3, 71, 7, 4},
    MigProfile{3, 72, 7, 4},
    MigProfile{4, 71, 7, 4},
    MigProfile{4, 72, 7, 4},
    MigProfile{7, 141, 7, 8},
    MigProfile{7, 144, 7, 8},
    // B200, GB200
    MigProfile{1, 23, 7, 1},
    MigProfile{1, 45, 7, 2},
    MigProfile{1, 47, 7, 2},
    MigProfile{2, 45, 7, 2},
    MigProfile{2, 47, 7, 2},
    MigProfile{3, 90, 7, 4},
    MigProfile{3, 93, 7, 4},
    MigProfile{4, 90, 7, 4},
    MigProfile{4, 93, 7, 4},
    MigProfile{7, 180, 7, 8},
    MigProfile{7, 186, 7, 8},
    // B300
    MigProfile{1, 34, 7, 1},
    MigProfile{1, 67, 7, 2},
    MigProfile{2, 67, 7, 2},
    MigProfile{3, 135, 7, 4},
    MigProfile{4, 135, 7, 4},
    MigProfile{7, 269, 7, 8},
    // A30
    MigProfile{1, 6, 4, 2},
    MigProfile{2, 12, 4, 4},
    MigProfile{4, 24, 4, 8},
    // RTX PRO 6000: its 1g.24gb is a quarter, as that of H100 96 GB
    MigProfile{2, 48, 4, 4},
    MigProfile{4, 96, 4, 8},
};

/// Which resource a name of Slurm stands for.
enum class Gres : std::uint8_t { gpu, part, other };

Gres gres_of(std::string_view name) {
    return name == "gpu" || name == gpu_plugin ? Gres::gpu
           : name == "shard" || name == "mps"  ? Gres::part
                                               : Gres::other;
}

/// Counts the GPUs of one job.
class GpuCount {
  public:
    explicit GpuCount(std::optional<std::int64_t> shards_per_gpu) : per_gpu_{shards_per_gpu} {}

    /// Adds `count` of the resource `name`; type: empty where it has none.
    void add(std::string_view name, std::string_view type, std::int64_t count, SlurmTres& tres) {
        const Gres gres = gres_of(name);
        if (gres == Gres::gpu && type.empty())
            any_ = count;
        else if (gres == Gres::gpu)
            add_typed(type, count, tres);
        else if (gres == Gres::part && !type.empty()) // counted in that without a type
            typed_parts_ += count;
        else if (gres == Gres::part)
            parts_ = count;
        if (gres == Gres::part)
            part_name_ = name;
    }

    /// Sets the GPUs of `tres`, or its problem.
    void finish(SlurmTres& tres) const {
        if (!tres.problem.empty())
            return;
        const std::int64_t typed = whole_ + slices_;
        const std::int64_t whole = any_ > typed           ? *any_ - slices_
                                   : any_ && slices_ == 0 ? *any_
                                                          : whole_;
        const std::int64_t parts = parts_.value_or(typed_parts_);
        const int num_sizes = (whole > 0 ? 1 : 0) + (slices_ > 0 ? 1 : 0) + (parts > 0 ? 1 : 0);
        if (mixed_ || num_sizes > 1) {
            tres.problem = "a job with GPUs of several sizes";
            tres.why = "whole ones and parts, or parts that differ";
            return;
        }
        if (parts > 0)
            return count_parts(parts, tres);
        tres.gpus = whole + slices_;
        tres.gpu_milli = slices_ > 0 ? slice_milli_ : 1000;
    }

  private:
    void add_typed(std::string_view type, std::int64_t count, SlurmTres& tres) {
        tres.gpu_types.emplace_back(type);
        const std::optional<std::int64_t> milli = mig_profile_milli(type);
        if (milli == 0) {
            tres.problem = "not a MIG profile of NVIDIA's table";
            tres.why = type;
        } else if (!milli || *milli == 1000) {
            whole_ += count;
        } else if (count > 0) {
            mixed_ = mixed_ || (slices_ > 0 && slice_milli_ != *milli);
            slice_milli_ = *milli;
            slices_ += count;
        }
    }

    /// Shards of more than one GPU are taken as equal parts of as few GPUs as hold them.
    void count_parts(std::int64_t parts, SlurmTres& tres) const {
        if (!per_gpu_) {
            tres.problem = std::string{gres_prefix} + part_name_ + " is a part of a GPU";
            tres.why = "how many a GPU has is not known";
            tres.suggestion = "this job has " + std::to_string(parts) +
                              "; say how many a GPU has: `shards_per_gpu`, or --shards-per-gpu";
            return;
        }
        tres.gpus = (parts + *per_gpu_ - 1) / *per_gpu_;
        tres.gpu_milli = std::max<std::int64_t>(
            1, static_cast<std::int64_t>(int128{1000} * parts / (int128{tres.gpus} * *per_gpu_)));
    }

    std::optional<std::int64_t> per_gpu_;
    std::optional<std::int64_t> any_; // GPUs without a type
    std::int64_t whole_{};            // of a type, whole
    std::int64_t slices_{};           // MIG slices
    std::int64_t slice_milli_{};
    bool mixed_{}; // slices of several sizes
    std::optional<std::int64_t> parts_;
    std::int64_t typed_parts_{};
    std::string part_name_;
};

/// Calls `take` with each entry between commas; false if one of them is refused.
template <class Take>
bool each_entry(std::string_view text, Take take) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        if (!take(text.substr(at, end - at)))
            return false;
        at = end + 1;
    }
    return true;
}

bool read_tres(std::string_view entry, SlurmTres& tres, GpuCount& gpus) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos)
        return false;
    std::string_view key = entry.substr(0, equals);
    const std::string_view value = entry.substr(equals + 1);
    std::optional<std::int64_t> amount = 0;
    if (key == "cpu") {
        amount = parse_amount(value, cpus_in_thousandths);
        tres.cpu_milli = amount.value_or(0);
    } else if (key == "mem") {
        amount = parse_amount(value, sizes_in_mib);
        tres.memory_mib = amount.value_or(0);
    } else if (key.starts_with(gres_prefix)) {
        key.remove_prefix(gres_prefix.size());
        const std::size_t colon = std::min(key.find(':'), key.size());
        const std::string_view name = key.substr(0, colon);
        if (gres_of(name) == Gres::other)
            return true;
        amount = parse_count(value);
        gpus.add(name, key.substr(std::min(colon + 1, key.size())), amount.value_or(0), tres);
    }
    return amount.has_value();
}

/// "gpu", "gpu:2", "gpu:a100:2", with "gres:" before or "(IDX:0-1)" behind.
bool read_gres(std::string_view entry, SlurmTres& tres, GpuCount& gpus) {
    entry = entry.substr(0, entry.find('('));
    for (const std::string_view prefix : {std::string_view{"gres:"}, gres_prefix})
        if (entry.starts_with(prefix))
            entry.remove_prefix(prefix.size());
    const std::size_t colon = std::min(entry.find(':'), entry.size());
    const std::string_view name = entry.substr(0, colon);
    std::string_view type = entry.substr(std::min(colon + 1, entry.size()));
    if (name.empty())
        return false;
    if (gres_of(name) == Gres::other)
        return true;
    const std::size_t last = type.rfind(':');
    const std::string_view number = last == std::string_view::npos ? type : type.substr(last + 1);
    std::optional<std::int64_t> count = parse_count(number);
    if (count)
        type = last == std::string_view::npos ? std::string_view{} : type.substr(0, last);
    else if (last != std::string_view::npos)
        return false;
    gpus.add(name, type, count.value_or(1), tres);
    return true;
}

} // namespace

std::optional<std::int64_t> mig_profile_milli(std::string_view type) {
    // "a100_1g.5gb+me": the profile is behind the last mark that no profile has.
    const std::string_view profile = type.substr(type.find_last_of("_-:") + 1);
    const std::size_t g = profile.find("g.");
    const std::size_t gb = profile.find("gb", std::min(g, profile.size()));
    if (g == std::string_view::npos || gb == std::string_view::npos)
        return std::nullopt;
    const std::optional<std::int64_t> slices = parse_count(profile.substr(0, g));
    const std::optional<std::int64_t> memory = parse_count(profile.substr(g + 2, gb - g - 2));
    if (!slices || !memory)
        return std::nullopt;
    for (const MigProfile& known : mig_profiles)
        if (known.gpu_slices == *slices && known.memory_gb == *memory)
            return std::max(1000 * known.gpu_slices / known.slices_of_gpu,
                            1000 * known.memory_eighths / 8);
    return 0;
}

std::optional<SlurmTres> parse_slurm_tres(std::string_view text,
                                          std::optional<std::int64_t> shards_per_gpu) {
    SlurmTres tres;
    GpuCount gpus{shards_per_gpu};
    if (!each_entry(text, [&](std::string_view entry) { return read_tres(entry, tres, gpus); }))
        return std::nullopt;
    gpus.finish(tres);
    return tres;
}

std::optional<SlurmTres> parse_slurm_gres(std::string_view text,
                                          std::optional<std::int64_t> shards_per_gpu) {
    SlurmTres tres;
    GpuCount gpus{shards_per_gpu};
    if (!each_entry(text, [&](std::string_view entry) { return read_gres(entry, tres, gpus); }))
        return std::nullopt;
    gpus.finish(tres);
    return tres;
}

}} // namespace bursar::scenarios
