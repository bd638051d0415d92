#pragma once

#include "models/gpu/gpu.hpp"

#include "scenarios/catalog/catalogue.hpp"

#include "reports/answer/answer.hpp"

namespace bursar { inline namespace tools {

/// The GPUs of a catalogue, one a row.
[[nodiscard]] Answer gpu_list(const Catalogue& catalogue);

/// All about one of them.
[[nodiscard]] Answer gpu_facts(const Gpu& gpu);

}} // namespace bursar::tools
