#pragma once

#include <filesystem>
#include <string_view>

#include "reports/result/file_text.hpp"

namespace bursar { inline namespace reports {

/// What a file that was saved as JSON is, for messages.
struct SavedKind {
    std::string_view name;   ///< "saved result"
    std::string_view advice; ///< what to give in its place
};

/// Reads the whole file. Throws BadResult where it cannot be read, does not begin as JSON or has
/// more than 4 GiB.
void read_saved_file(const std::filesystem::path& path, const SavedKind& kind, FileText& file);

}} // namespace bursar::reports
