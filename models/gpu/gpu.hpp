#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/units.hpp"

/// Facts about a GPU model. They come from a catalogue (scenarios/catalog/gpus.yaml or the
/// user's own); a fact that no source states stays absent, and a model that needs it fails by name.
namespace bursar { inline namespace models {

/// Number formats a GPU multiplies in. fp32 is the vector rate; the others are the tensor (matrix)
/// rate, or the vector rate on GPUs without tensor cores. mxfp8 and nvfp4 have one scale per block
/// of 32 and 16 numbers, which the unit applies itself (OCP MX 1.0, 2023; NVIDIA 2025).
enum class Precision : std::uint8_t { fp32, tf32, fp16, bf16, fp8, mxfp8, nvfp4 };

inline constexpr std::array<std::string_view, 7> precision_names{
    "fp32", "tf32", "fp16", "bf16", "fp8", "mxfp8", "nvfp4"};

/// Whether training uses it in linear layers only: 8 bits and less.
[[nodiscard]] constexpr bool is_narrow(Precision precision) {
    return precision >= Precision::fp8;
}

[[nodiscard]] constexpr std::string_view name(Precision precision) {
    return precision_names[static_cast<std::size_t>(precision)];
}

/// The precision of that name, or nothing.
[[nodiscard]] std::optional<Precision> find_precision(std::string_view name);

struct LinkTable;   // models/network/link_facts.hpp
struct ServerTable; // the same

/// One GPU model, as vendors sell it: memory size and form factor are part of its name.
struct Gpu {
    std::string name;                 ///< catalogue name, unique: "A100-SXM4-80GB"
    std::vector<std::string> aliases; ///< other names of it, unique in a catalogue
    std::string vendor;
    std::optional<double> memory_gb;             ///< what a process sees; 1 GB = 1e9 B; > 0
    std::optional<double> memory_bandwidth_gb_s; ///< GB/s
    std::optional<double> scaleup_gb_s; ///< GB/s of its link to other GPUs, one direction, per GPU
    std::optional<std::int64_t> scaleup_domain;  ///< GPUs that its link joins at most, over
                                                 ///< several servers; absent: those of one
    std::optional<double> tdp_w;                 ///< W, the vendor's highest design figure
    std::optional<std::int64_t> multiprocessors; ///< number of multiprocessors; > 0
    std::array<std::optional<double>, precision_names.size()>
        dense_peak_tflops; ///< by Precision; 1e12 FLOP/s without sparsity
    std::array<std::optional<double>, precision_names.size()>
        achievable_fraction; ///< by Precision; share of the peak that the best matrix product
                             ///< reaches
    std::shared_ptr<const LinkTable> links;     ///< of its catalogue; null: none are known
    std::shared_ptr<const ServerTable> servers; ///< of its catalogue; null: none are known
    std::string source;                         ///< where the facts were published
    std::string date;                           ///< when they were read, YYYY-MM-DD
};

/// A model needs a fact that the catalogue does not state:
/// "A10G: memory bandwidth is not known (catalogue gpus.yaml); give it in a catalogue of your own".
class UnknownFact : public std::runtime_error {
  public:
    UnknownFact(const Gpu& gpu, std::string_view fact);
};

/// The facts in bursar's units. Each throws UnknownFact, naming the GPU and the fact, when absent.
[[nodiscard]] Bytes memory(const Gpu& gpu);
[[nodiscard]] ByteRate memory_bandwidth(const Gpu& gpu);
[[nodiscard]] ByteRate scaleup_bandwidth(const Gpu& gpu);
[[nodiscard]] Power tdp(const Gpu& gpu);
[[nodiscard]] FlopRate dense_peak(const Gpu& gpu, Precision precision);

/// Share of the dense peak that the best-shaped matrix product reaches where it is not measured;
/// the bf16 figure of H100 and H200 (FORMULAS 4.1).
inline constexpr double unmeasured_achievable_fraction = 0.8;

/// The rate of the best-shaped matrix product: the dense peak times the measured share of it, or
/// times `unmeasured_achievable_fraction`. Throws UnknownFact when the peak is absent.
[[nodiscard]] FlopRate achievable_peak(const Gpu& gpu, Precision precision);

/// Whether the catalogue states a peak for `precision`.
[[nodiscard]] inline bool supports(const Gpu& gpu, Precision precision) {
    return gpu.dense_peak_tflops[static_cast<std::size_t>(precision)].has_value();
}

/// The default format of training: bf16, else fp16, else fp32.
[[nodiscard]] Precision usual_precision(const Gpu& gpu);

/// `gpu` limited below its design power: its achievable product rates shrink by (limit / TDP)^0.4;
/// its stated peaks and its memory rate do not change. A limit of the TDP or more changes nothing.
/// The exponent is the middle of 0.3 to 0.5 [unverified] (FORMULAS 4.1).
///
/// limit: > 0. Throws UnknownFact where the TDP is not known.
[[nodiscard]] Gpu power_limited(Gpu gpu, Power limit);

}} // namespace bursar::models
