#include "scenarios/measurements/measured_gpu.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/gpu/gpu.hpp"

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The words of a GPU's name.
std::vector<std::string> name_words(std::string_view name) {
    std::vector<std::string> words = words_of(name);
    // "80 GB" is one word.
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (words[i + 1] == "gb") {
            words[i] += "gb";
            words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
    }
    return words;
}

bool has_digit(std::string_view word) {
    return word.find_first_of("0123456789") != std::string_view::npos;
}

/// Whether a word is part of the model's name ("a100", "mi300x", "l4", "8000"), not memory or
/// socket.
bool names_model(std::string_view word) {
    return has_digit(word) && !word.ends_with("gb") && !word.starts_with("sxm") &&
           !word.starts_with("pcie") && !word.starts_with("nvlink");
}

/// Number of words of `asked` that match the catalogue's `known` words; 0 unless the model matches.
int agreement(const std::vector<std::string>& asked, const std::vector<std::string>& known) {
    const auto holds = [](const std::vector<std::string>& words, const std::string& word) {
        return std::ranges::find(words, word) != words.end();
    };
    int score = 0;
    for (const std::string& word : asked) {
        if (names_model(word) && holds(known, word))
            score += 100;
        if (word.ends_with("gb") && holds(known, word))
            score += 10;
        const auto same_socket = [&word](const std::string& other) {
            return (word.starts_with("sxm") && other.starts_with("sxm")) ||
                   (word.starts_with("pci") && other.starts_with("pci"));
        };
        if (std::ranges::any_of(known, same_socket))
            score += 20;
    }
    return score >= 100 ? score : 0;
}

/// 500 W of "H100 96GB 500W".
std::optional<Power> power_limit_in(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        double watts = 0;
        const char* end = word.data() + word.size();
        const auto [rest, error] = std::from_chars(word.data(), end, watts);
        if (error == std::errc{} && rest + 1 == end && *rest == 'w' && watts > 0)
            return Power{watts};
    }
    return std::nullopt;
}

struct SameChip {
    std::string_view name;
    std::string_view known_as;
};

// Export variants: the same chip with slower links.
constexpr std::array same_chips{SameChip{"a800", "a100"}, SameChip{"h800", "h100"}};

/// The bf16 peak in the proportion of the catalogue's GPU whose peak in that format is nearest:
/// NVFP4 is 4 times bf16 on B200, 6 times on GB300. The peak itself where no GPU has the format.
double bf16_peak(const PublishedPeak& peak, const Catalogue& catalogue) {
    const auto of = [](const Gpu& gpu, Precision precision) {
        return gpu.dense_peak_tflops[static_cast<std::size_t>(precision)].value_or(0);
    };
    double least = std::numeric_limits<double>::infinity();
    double found = peak.tflops;
    for (const Gpu& gpu : catalogue.gpus) {
        const double known = of(gpu, peak.format);
        const double wide = of(gpu, Precision::bf16);
        const double distance = std::abs(std::log(known / peak.tflops));
        if (known > 0 && wide > 0 && distance < least) {
            least = distance;
            found = peak.tflops * wide / known;
        }
    }
    return found;
}

/// A GPU with unpublished facts in the proportions of known GPUs.
Gpu gpu_of_peak(std::string_view name,
                const PublishedPeak& peak,
                const Catalogue& catalogue,
                Assumptions& assumptions) {
    const double peak_tflops = bf16_peak(peak, catalogue);
    constexpr double flop_per_byte = 200;  // A100 156, V100 139, MI300X 247, B200 281, H100 295
    constexpr double flop_per_link = 1000; // FLOP per byte sent: A100 1040, V100 830, H100 2200
    Gpu gpu;
    gpu.name = std::string{name};
    gpu.vendor = "unknown";
    gpu.memory_gb = 80;
    gpu.memory_bandwidth_gb_s = peak_tflops * 1e3 / flop_per_byte;
    gpu.scaleup_gb_s = peak_tflops * 1e3 / flop_per_link;
    gpu.tdp_w = 700;
    for (const Precision precision : {Precision::fp16, Precision::bf16})
        gpu.dense_peak_tflops[static_cast<std::size_t>(precision)] = peak_tflops;
    gpu.dense_peak_tflops[static_cast<std::size_t>(Precision::tf32)] = peak_tflops / 2;
    gpu.dense_peak_tflops[static_cast<std::size_t>(Precision::fp32)] = peak_tflops / 16;
    gpu.dense_peak_tflops[static_cast<std::size_t>(Precision::fp8)] = peak_tflops * 2;
    gpu.dense_peak_tflops[static_cast<std::size_t>(peak.format)] = peak.tflops;
    gpu.source = "assumed from the published peak";
    assumptions.push_back(fmt::format(
        "gpu: {} is not in the catalogue; {:g} TFLOP/s in {} as published, {:.0f} GB/s of memory "
        "and {:.0f} GB/s of link assumed",
        in_quotes(name),
        peak.tflops,
        bursar::name(peak.format),
        *gpu.memory_bandwidth_gb_s,
        *gpu.scaleup_gb_s));
    return gpu;
}

} // namespace

Gpu measured_gpu(std::string_view name,
                 std::optional<PublishedPeak> peak,
                 const Catalogue& catalogue,
                 Assumptions& assumptions) {
    if (const Gpu* exact = catalogue.find(name))
        return *exact;
    std::vector<std::string> asked = name_words(name);
    for (std::string& word : asked)
        for (const SameChip& chip : same_chips)
            if (word == chip.name)
                word = chip.known_as;
    const Gpu* best = nullptr;
    int most = 0;
    for (const Gpu& gpu : catalogue.gpus) {
        int score = agreement(asked, name_words(gpu.name));
        for (const std::string& alias : gpu.aliases)
            score = std::max(score, agreement(asked, name_words(alias)));
        if (score > most) {
            most = score;
            best = &gpu;
        }
    }
    if (best != nullptr) {
        assumptions.push_back(fmt::format("gpu: {} for {}", best->name, in_quotes(name)));
        const std::optional<Power> limit = power_limit_in(asked);
        if (!limit || !best->tdp_w || limit->count() >= *best->tdp_w)
            return *best;
        assumptions.push_back(
            fmt::format("gpu: its products slowed by the limit of {:.0f} W", limit->count()));
        return power_limited(*best, *limit);
    }
    if (!peak)
        throw ModelError{
            "gpu",
            in_quotes(name) + " is not in the catalogue and the row has no peak_tflops",
            nearest_names(name, catalogue.names()).empty() ? ""
                                                           : suggestion(name, catalogue.names())};
    Gpu gpu = gpu_of_peak(name, *peak, catalogue, assumptions);
    gpu.links = catalogue.links;
    gpu.servers = catalogue.servers;
    return gpu;
}

}} // namespace bursar::scenarios
