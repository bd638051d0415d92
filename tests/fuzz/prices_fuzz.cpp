#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "models/market/price_integral.hpp"
#include "models/market/price_statistics.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/market/prices/price_history.hpp"
#include "scenarios/market/prices/read_prices.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"

/// Any bytes are a file of prices or a ScenarioError, nothing else; and every offer of it is a
/// valid series, whose integral and mean say the same, or has two prices for one instant. The
/// first line is the format's name, or `any` to have it recognised. The rest is the file.
namespace bursar {
namespace {

void require(bool holds) {
    if (!holds)
        std::abort();
}

void check(const PriceHistory& history) {
    require(history.steps.is_valid());
    if (history.length() <= Duration{0})
        return;
    const Duration end{history.end_ms};
    const PriceStatistics found = price_statistics(history.steps, end);
    require(found.min <= found.mean && found.mean <= found.max);
    require(summary_of(up_times(history.steps, end, found.max)).total == history.length());
    PriceIntegrals integrals;
    const Duration begin{history.steps.start_ms.front()};
    const int128 whole = integrals.of(integrals.add(history.steps)).between(begin, end).count();
    const int128 off = int128{found.mean.count()} * history.length().count() - whole;
    require(2 * off <= history.length().count() && 2 * off > -history.length().count());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view input{reinterpret_cast<const char*>(bytes), size};
    const std::size_t line = std::min(input.find('\n'), input.size());
    const std::string_view format = input.substr(0, line);
    MemorySource stored{input.substr(std::min(line + 1, input.size()))};
    try {
        const PriceFile file =
            read_prices(stored, "fuzz", format == "any" ? std::string{} : std::string{format});
        for (const OfferedPrices& offered : file.offers) {
            try {
                check(price_history(file, offered, Outliers::keep));
                check(price_history(file, offered, Outliers::drop));
            } catch (const ScenarioError&) { // two prices for one instant
            }
        }
    } catch (const ScenarioError&) {
    }
    return 0;
}

} // namespace bursar
