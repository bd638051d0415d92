#include <array>
#include <string_view>

#include <doctest/doctest.h>

#include "scenarios/traces/text/special_bytes.hpp"

namespace bursar {

TEST_CASE("every byte value at every position of a block is told right") {
    constexpr std::string_view special{",\"\n\0", 4};
    std::array<char, special_block> block{};
    for (int value = 0; value < 256; ++value) {
        const char c = static_cast<char>(value);
        const bool wanted = special.find(c) != std::string_view::npos;
        for (std::size_t at = 0; at < block.size(); ++at) {
            block.fill('x');
            block[at] = c;
            REQUIRE(special_bytes(block.data()) == std::uint64_t{wanted} << at);
        }
    }
}

} // namespace bursar
