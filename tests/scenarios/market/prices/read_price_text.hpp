#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/market/prices/choose_offer.hpp"
#include "scenarios/market/prices/price_history.hpp"
#include "scenarios/market/prices/read_prices.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar::test {

/// The prices in `text`, which messages call "p".
inline PriceFile read_price_text(std::string_view text, const std::string& format = {}) {
    MemorySource bytes{text};
    return read_prices(bytes, "p", format);
}

/// The history of the offer `wanted` in `text`.
inline PriceHistory
history_in(std::string_view text, const PriceOffer& wanted = {}, Outliers outliers = {}) {
    const PriceFile file = read_price_text(text);
    std::vector<Finding> notes;
    const OfferedPrices& offered = choose_offer(file, {wanted, {}}, notes);
    PriceHistory history = price_history(file, offered, outliers);
    history.notes.insert(history.notes.begin(), notes.begin(), notes.end());
    history.notes.insert(history.notes.begin(), file.notes.begin(), file.notes.end());
    return history;
}

/// The message about the prices of `wanted` in `text`; empty if they are valid.
inline std::string price_complaint(std::string_view text, const PriceOffer& wanted = {}) {
    try {
        history_in(text, wanted);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

/// The notes of a history, a line each.
inline std::string notes_of(const PriceHistory& history) {
    std::string all;
    for (const Finding& note : history.notes)
        all += note.text() + "\n";
    return all;
}

constexpr std::int64_t usd(std::int64_t dollars) {
    return dollars * 1'000'000'000;
}

} // namespace bursar::test
