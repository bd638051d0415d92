#pragma once

#include <optional>
#include <string_view>

#include "models/gpu/gpu.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/measurements/stated_settings.hpp"

namespace bursar { inline namespace scenarios {

/// A dense peak as published with a run.
struct PublishedPeak {
    double tflops; ///< > 0
    Precision format;

    // NOLINTNEXTLINE(google-explicit-constructor): a number alone is of 16-bit formats
    PublishedPeak(double value, Precision of = Precision::bf16) : tflops{value}, format{of} {}
};

/// The GPU that `name` means in a published table: the catalogue's GPU of that name or alias; else
/// the one with the same model ("A100" of "NVIDIA A100 SXM 40GB") and the most of form factor and
/// memory size; else one made from `peak` alone. Guesses are added to `assumptions`. Throws
/// ModelError when neither the name nor a peak is known.
Gpu measured_gpu(std::string_view name,
                 std::optional<PublishedPeak> peak,
                 const Catalogue& catalogue,
                 Assumptions& assumptions);

}} // namespace bursar::scenarios
