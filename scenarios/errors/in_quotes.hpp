#pragma once

#include <string>
#include <string_view>

namespace bursar {

/// Text for a message: at most 60 bytes in double quotes, then "..."; control bytes as \xNN; UTF-8
/// sequences stay whole.
std::string in_quotes(std::string_view text);

} // namespace bursar
