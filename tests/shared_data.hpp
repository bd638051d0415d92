#pragma once
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

#include <doctest/doctest.h>

#include "tests/places.hpp"

namespace bursar::test {

/// A file of the shared data folder, or nothing (said in the test log, by name) where it is absent.
inline std::optional<std::filesystem::path> shared_data(std::string_view relative) {
    const char* root = std::getenv("BURSAR_SHARED"); // NOLINT(concurrency-mt-unsafe)
    std::filesystem::path path = root != nullptr ? root : source_file("../shared");
    path /= relative;
    if (std::filesystem::exists(path))
        return path;
    MESSAGE("skipped: no shared data ", relative);
    return std::nullopt;
}

} // namespace bursar::test
