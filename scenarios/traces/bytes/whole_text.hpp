#pragma once

#include <cstddef>
#include <string>

namespace bursar { inline namespace scenarios {

class ByteSource;

/// The longest file that is held in memory as a whole, unpacked; bytes.
inline constexpr std::size_t max_whole_text = std::size_t{1} << 30;

/// Everything in `bytes`. Throws ScenarioError, naming `file`, where that is more than
/// max_whole_text.
std::string whole_text(ByteSource& bytes, const std::string& file);

}} // namespace bursar::scenarios
