#pragma once

#include <cstdint>

#include "scenarios/reader/reader.hpp"

namespace bursar { inline namespace scenarios {

/// Limits of what one node has, which plans keep as 32-bit thousandths of a core and MiB.
inline constexpr std::int64_t max_cores = 100'000;
inline constexpr std::int64_t mebibyte = std::int64_t{1} << 20U;
inline constexpr std::int64_t max_memory_bytes = mebibyte << 30U;

/// Reports the key `memory` of a mapping where it is too large.
inline void check_memory(const Reader& at, std::int64_t bytes) {
    if (bytes > max_memory_bytes)
        at.mistake_at("memory", "exceeds what a node can have", "at most 1024 TiB");
}

}} // namespace bursar::scenarios
