#pragma once

#include <string>
#include <string_view>

namespace bursar::inline tools {

/// Writes `text` to the file `path`, whole or not at all. Throws where it cannot be written.
void write_file(const std::string& path, std::string_view text);

} // namespace bursar::inline tools
