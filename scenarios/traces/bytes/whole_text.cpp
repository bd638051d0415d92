#include "scenarios/traces/bytes/whole_text.hpp"

#include <span>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar { inline namespace scenarios {

std::string whole_text(ByteSource& bytes, const std::string& file) {
    constexpr std::size_t window = std::size_t{1} << 16;
    std::string text;
    while (true) {
        const std::size_t held = text.size();
        if (held > max_whole_text)
            fail_input(file, mistake("more than 1 GiB of text", "it is read as a whole"));
        text.resize(held + window);
        const std::size_t n = read_fully(bytes, std::span{text}.subspan(held));
        text.resize(held + n);
        if (n < window)
            return text;
    }
}

}} // namespace bursar::scenarios
