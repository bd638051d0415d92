#pragma once

#include <string_view>

namespace bursar::test {

/// Whether a text has another one in it.
inline bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

} // namespace bursar::test
