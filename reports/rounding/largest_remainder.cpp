#include "reports/rounding/largest_remainder.hpp"

#include <algorithm>
#include <cstddef>

#include "models/units/largest_remainders.hpp"

#include "reports/errors/report_error.hpp"

namespace bursar { inline namespace reports {
namespace {

void hand_out(int128 missing, std::span<const uint128> remainders, std::vector<int128>& parts) {
    // A run's books are checked, and those of a saved result with the right hash are not.
    if (missing < 0 || missing > static_cast<int128>(parts.size()))
        throw BadResult{"bursar: the parts of a sum do not add up to it; the result was changed"};
    add_by_largest_remainder(static_cast<std::size_t>(missing), remainders, std::span{parts});
}

} // namespace

std::vector<int128> largest_remainder(std::span<const int128> parts, int128 divisor, int128 total) {
    std::vector<int128> out(parts.size());
    std::vector<uint128> remainders(parts.size());
    int128 missing = total;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        out[i] = parts[i] / divisor;
        remainders[i] = static_cast<uint128>(parts[i] % divisor);
        missing -= out[i];
    }
    hand_out(missing, remainders, out);
    return out;
}

std::vector<int128> permille_of(std::span<const int128> parts, int128 whole, int128 sum) {
    if (whole <= 0)
        return std::vector<int128>(parts.size());
    constexpr int128 most = int128{1} << 116U; // times 1000, no overflow
    int shift = 0;
    while ((whole >> shift) >= most)
        ++shift;
    std::vector<int128> thousandths;
    for (const int128 part : parts)
        thousandths.push_back((part >> shift) * 1000);
    return largest_remainder(thousandths, whole >> shift, sum);
}

std::vector<int128> share(int128 total, std::span<const int128> weights) {
    // 64-bit weights keep remainder x weight below inside 128 bits.
    uint128 sum = 0;
    for (const int128 weight : weights)
        sum += static_cast<uint128>(weight);
    int shift = 0;
    while ((sum >> shift) >> 64 != 0)
        ++shift;

    uint128 divisor = 0;
    for (const int128 weight : weights)
        divisor += static_cast<uint128>(weight) >> shift;
    std::vector<int128> out(weights.size());
    if (divisor == 0)
        return out;

    const uint128 quotient = static_cast<uint128>(total) / divisor;
    const uint128 rest = static_cast<uint128>(total) % divisor;
    std::vector<uint128> remainders(weights.size());
    int128 missing = total;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const uint128 weight = static_cast<uint128>(weights[i]) >> shift;
        out[i] = static_cast<int128>(quotient * weight + rest * weight / divisor);
        remainders[i] = rest * weight % divisor;
        missing -= out[i];
    }
    hand_out(missing, remainders, out);
    return out;
}

void settle_columns(std::vector<std::vector<int128>>& rows, std::vector<int128> columns) {
    for (const std::vector<int128>& row : rows)
        for (std::size_t i = 0; i < columns.size(); ++i)
            columns[i] -= row[i]; // what is missing
    for (;;) {
        const auto lacks = std::ranges::find_if(columns, [](int128 more) { return more > 0; });
        const auto has = std::ranges::find_if(columns, [](int128 more) { return more < 0; });
        if (lacks == columns.end() || has == columns.end())
            return;
        const auto to = static_cast<std::size_t>(lacks - columns.begin());
        const auto from = static_cast<std::size_t>(has - columns.begin());
        auto& row = *std::ranges::max_element(
            rows, {}, [&](const std::vector<int128>& entries) { return entries[from]; });
        const int128 moved = std::min({*lacks, -*has, row[from]});
        if (moved <= 0)
            throw BadResult{"bursar: figures by row and by column do not add up; the result was "
                            "changed"};
        row[from] -= moved;
        row[to] += moved;
        *has += moved;
        *lacks -= moved;
    }
}

}} // namespace bursar::reports
