#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include "tests/places.hpp"

namespace bursar::test {

/// Compares `text` with tests/reports/golden/NAME, or writes that file under
/// BURSAR_UPDATE_GOLDEN=1.
inline void compare_with_golden(const std::string& text, const std::string& name) {
    const std::filesystem::path path =
        std::filesystem::path{source_file("tests/reports/golden")} / name;
    if (std::getenv("BURSAR_UPDATE_GOLDEN") != nullptr) { // NOLINT(concurrency-mt-unsafe)
        std::ofstream{path, std::ios::binary} << text;
        MESSAGE("updated ", path.string());
    }
    std::ifstream file{path, std::ios::binary};
    const std::string expected{std::istreambuf_iterator<char>{file}, {}};
    CAPTURE(name);
    CHECK(text == expected);
}

} // namespace bursar::test
