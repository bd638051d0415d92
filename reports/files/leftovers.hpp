#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bursar { inline namespace reports {

/// The temporary name of a file before it is put in its place: hidden, and unique to this process
/// and number.
[[nodiscard]] std::string temporary_name(std::string_view name, int number);

/// Whether `candidate` is a temporary name of the file `name`, of any process.
[[nodiscard]] bool is_temporary_name(std::string_view candidate, std::string_view name);

/// Marks an open file as one that this process will rename or remove.
void claim(int descriptor);

/// Removes temporary files of `name` in the folder that no running process claims, as killed
/// processes leave them.
void clear_leftovers(const std::filesystem::path& directory, std::string_view name);

}} // namespace bursar::reports
