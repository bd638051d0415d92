#include <array>
#include <string_view>

#include <doctest/doctest.h>

#include "scenarios/traces/text/special_bytes.hpp"

namespace bursar::special_bytes_test {

TEST_CASE("every byte value at every position of a block is classified correctly") {
    constexpr std::string_view delimiters = ",;|\t";
    constexpr std::string_view others{"\"\n\0", 3};
    std::array<char, special_block> block{};
    for (int value = 0; value < 256; ++value) {
        const char c = static_cast<char>(value);
        for (std::size_t at = 0; at < block.size(); ++at) {
            block.fill('x');
            block[at] = c;
            for (const char delimiter : delimiters) {
                const bool wanted = c == delimiter || others.find(c) != std::string_view::npos;
                REQUIRE(special_bytes(block.data(), delimiter) == std::uint64_t{wanted} << at);
            }
        }
    }
}

} // namespace bursar::special_bytes_test
