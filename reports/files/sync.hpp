#pragma once

#include <filesystem>

namespace bursar { inline namespace reports {

/// What was written to an open file is on the disk when this returns; false, with errno set, where
/// that failed. A file system that cannot is no failure.
[[nodiscard]] bool sync_to_disk(int descriptor);

/// The same of the names in a folder; one that may not be read is passed over. Throws ReportError.
void sync_folder(const std::filesystem::path& folder);

}} // namespace bursar::reports
