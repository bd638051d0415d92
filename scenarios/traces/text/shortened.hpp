#pragma once

#include <string>
#include <string_view>

namespace bursar {

/// `text` between quotes for a message: control bytes as \xNN, at most 40 bytes, then "...".
std::string shortened(std::string_view text);

} // namespace bursar
