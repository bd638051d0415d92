#pragma once

#include <string>
#include <vector>

#include "scenarios/market/prices/choose_offer.hpp"
#include "scenarios/market/prices/price_history.hpp"

#include "tools/command_line/options.hpp"

namespace bursar { inline namespace tools {

/// Which prices of files are meant: the keys of a scenario's price, as options.
struct PriceOptions {
    OfferKeys keys;
    std::string format; ///< of the files; empty: told by their content
    bool drop_outliers{};
    std::optional<std::int64_t> gpus; ///< of the machine; absent: as the file says

    void add_to(Command command);

    [[nodiscard]] Outliers outliers() const {
        return drop_outliers ? Outliers::drop : Outliers::keep;
    }
};

}} // namespace bursar::tools
