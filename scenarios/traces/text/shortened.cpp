#include "scenarios/traces/text/shortened.hpp"

#include <cstddef>
#include <iterator>

#include <fmt/format.h>

namespace bursar {
namespace {
constexpr std::size_t longest = 40;
}

std::string shortened(std::string_view text) {
    std::string out = "\"";
    for (const char c : text.substr(0, longest)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f)
            fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
        else
            out += c;
    }
    out += text.size() > longest ? "...\"" : "\"";
    return out;
}

} // namespace bursar
