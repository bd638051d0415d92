#include "scenarios/market/prices/price_files.hpp"

#include <vector>

#include <xxhash.h>

#include "models/market/price_statistics.hpp"

#include "scenarios/market/prices/read_prices.hpp"

namespace bursar { inline namespace scenarios {

std::shared_ptr<const PriceFile>
PriceFiles::read(const std::string& path, const std::string& format, const std::string& currency) {
    std::shared_ptr<const PriceFile>& file = files_[{path, format, currency}];
    if (!file)
        file = std::make_shared<const PriceFile>(read_prices(path, format, currency));
    return file;
}

std::shared_ptr<const PriceFit> PriceFiles::fit(const PriceHistory& history) {
    std::vector<std::int64_t> numbers = history.steps.start_ms;
    numbers.insert(numbers.end(), history.steps.rate.begin(), history.steps.rate.end());
    numbers.push_back(history.end_ms);
    std::shared_ptr<const PriceFit>& fit =
        fits_[XXH3_64bits(numbers.data(), numbers.size() * sizeof(std::int64_t))];
    if (fit || history.length() <= Duration{})
        return fit;
    const Duration end{history.end_ms};
    const PriceStatistics found = price_statistics(history.steps, end);
    if (found.num_changes > 0)
        fit = std::make_shared<const PriceFit>(fit_prices(history.steps, end, found.mean));
    return fit;
}

}} // namespace bursar::scenarios
