#include "scenarios/trace_formats/pbs_resources.hpp"

#include <algorithm>
#include <array>

#include "scenarios/reader/plain_text.hpp"
#include "scenarios/traces/text/numbers.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::int64_t mib = 1024 * 1024;
constexpr std::int64_t word = 8; // bytes
constexpr std::array<AmountUnit, 12> pbs_sizes{{{"", 1, mib},
                                                {"b", 1, mib},
                                                {"kb", 1, 1024},
                                                {"mb", 1, 1},
                                                {"gb", 1024, 1},
                                                {"tb", mib, 1},
                                                {"pb", 1024 * mib, 1},
                                                {"w", word, mib},
                                                {"kw", word, 1024},
                                                {"mw", word, 1},
                                                {"gw", word * 1024, 1},
                                                {"tw", word* mib, 1}}};

/// Iterates over the parts of a text between delimiters.
class Pieces {
  public:
    Pieces(std::string_view text, char by) : left_{text}, by_{by} {}
    std::optional<std::string_view> next() {
        if (done_)
            return std::nullopt;
        const std::size_t at = left_.find(by_);
        const std::string_view piece = left_.substr(0, at);
        done_ = at == std::string_view::npos;
        left_.remove_prefix(done_ ? left_.size() : at + 1);
        return piece;
    }

  private:
    std::string_view left_;
    char by_;
    bool done_{};
};

/// The value of `key` among the parts `key=value` of a chunk; 0 if it has none. first: index of a
/// part to skip.
std::optional<std::int64_t>
value_in(std::optional<std::string_view> first, Pieces& parts, std::string_view key) {
    std::int64_t value = 0;
    for (std::optional<std::string_view> part = first ? first : parts.next(); part;
         part = parts.next()) {
        if (!part->starts_with(key) || part->substr(key.size()).substr(0, 1) != "=")
            continue;
        const auto number = parse_count(part->substr(key.size() + 1));
        if (!number)
            return std::nullopt;
        value = *number;
    }
    return value;
}

/// The number of a chunk times the value of `key` in it. A chunk begins with its number, or, if
/// `names_are_one`, with the name of one node. Without a number it is one.
std::optional<std::int64_t>
value_of_chunk(std::string_view chunk, std::string_view key, bool names_are_one) {
    Pieces parts{chunk, ':'};
    const std::string_view first = parts.next().value_or("");
    const bool has_number = !first.empty() && digit_of(first.front()) < 10;
    const bool is_resource = first.find('=') != std::string_view::npos;
    if (first.empty() || (!has_number && !is_resource && !names_are_one))
        return std::nullopt;
    std::optional<std::int64_t> number = has_number ? parse_count(first) : std::optional{1L};
    if (!number && names_are_one) // a node whose name begins with a digit
        number = 1;
    const auto value = value_in(is_resource ? std::optional{first} : std::nullopt, parts, key);
    std::int64_t product = 0;
    if (!number || !value || __builtin_mul_overflow(*number, *value, &product))
        return std::nullopt;
    return product;
}

std::optional<std::int64_t>
sum_over_chunks(std::string_view text, std::string_view key, bool names_are_one) {
    std::int64_t sum = 0;
    Pieces chunks{text, '+'};
    while (const auto chunk = chunks.next()) {
        const auto value = value_of_chunk(*chunk, key, names_are_one);
        if (!value || __builtin_add_overflow(sum, *value, &sum))
            return std::nullopt;
    }
    return sum;
}

} // namespace

std::optional<std::int64_t> gpus_of_select(std::string_view text) {
    return sum_over_chunks(text, "ngpus", false);
}

std::optional<std::int64_t> gpus_of_nodes(std::string_view text) {
    return sum_over_chunks(text, "gpus", true);
}

std::optional<std::int64_t> pbs_size_in_mib(std::string_view text) {
    return parse_amount(lower_case(text), pbs_sizes);
}

}} // namespace bursar::scenarios
