#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace bursar { inline namespace tools {

/// What was saved, by the command whose --out writes it.
enum class Saved : std::uint8_t { run, comparison, sweep };

/// A saved answer and where it lies.
struct SavedPlace {
    Saved kind{};
    std::filesystem::path
        file; ///< a result.json, comparison.json or sweep.sqlite, whatever its name
};

/// What `place` is, a file or the folder of --out. A file that is none of them is taken for a
/// run's: whoever reads it says what is wrong. Throws BadResult where a folder has none of them, or
/// several.
[[nodiscard]] SavedPlace saved_place(const std::string& place);

}} // namespace bursar::tools
