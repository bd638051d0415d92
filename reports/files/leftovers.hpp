#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bursar { inline namespace reports {

/// The name that a file has before it takes its place: hidden, and of no other process or number.
[[nodiscard]] std::string temporary_name(std::string_view name, int number);

/// Whether `candidate` is such a name of the file `name`, of whatever process.
[[nodiscard]] bool is_temporary_name(std::string_view candidate, std::string_view name);

/// Marks the open file as one that this process will put in its place or remove.
void claim(int descriptor);

/// Removes the temporary files of `name` in the folder that no living process claims: those of
/// processes that were killed.
void clear_leftovers(const std::filesystem::path& directory, std::string_view name);

}} // namespace bursar::reports
