#include "scenarios/trace_formats/slurm_tres.hpp"

#include <algorithm>
#include <array>

#include "scenarios/traces/text/numbers.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::string_view any_gpu = "gres/gpu";
constexpr std::string_view typed_gpu = "gres/gpu:";

/// Sizes are in MiB where they have no unit.
constexpr std::array<AmountUnit, 6> sizes_in_mib{{{"", 1, 1},
                                                  {"K", 1, 1024},
                                                  {"M", 1, 1},
                                                  {"G", 1024, 1},
                                                  {"T", 1024 * 1024, 1},
                                                  {"P", 1024LL * 1024 * 1024, 1}}};
constexpr std::array<AmountUnit, 4> cpus_in_thousandths{
    {{"", 1000, 1}, {"K", 1'000'000, 1}, {"M", 1'000'000'000, 1}, {"m", 1, 1}}};

/// GPUs of a list, with and without types.
struct GpuCounts {
    std::optional<std::int64_t> any;
    std::int64_t typed{};
};

bool read_one(std::string_view key, std::string_view value, SlurmTres& tres, GpuCounts& gpus) {
    std::optional<std::int64_t> amount = 0;
    if (key == "cpu") {
        amount = parse_amount(value, cpus_in_thousandths);
        tres.cpu_milli = amount.value_or(0);
    } else if (key == "mem") {
        amount = parse_amount(value, sizes_in_mib);
        tres.memory_mib = amount.value_or(0);
    } else if (key == any_gpu) {
        amount = parse_count(value);
        gpus.any = amount;
    } else if (key.starts_with(typed_gpu)) {
        amount = parse_count(value);
        gpus.typed += amount.value_or(0);
        tres.gpu_types.emplace_back(key.substr(typed_gpu.size()));
    }
    return amount.has_value();
}

} // namespace

std::optional<SlurmTres> parse_slurm_tres(std::string_view text) {
    SlurmTres tres;
    GpuCounts gpus;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string_view entry = text.substr(at, end - at);
        const std::size_t equals = entry.find('=');
        if (equals == std::string_view::npos ||
            !read_one(entry.substr(0, equals), entry.substr(equals + 1), tres, gpus))
            return std::nullopt;
        at = end + 1;
    }
    tres.gpus = gpus.any.value_or(gpus.typed);
    return tres;
}

}} // namespace bursar::scenarios
