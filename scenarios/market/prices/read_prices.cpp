#define XXH_INLINE_ALL

#include "scenarios/market/prices/read_prices.hpp"

#include <algorithm>
#include <vector>

#include <xxhash.h>

#include "models/market/price_statistics.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/market/prices/price_builder.hpp"
#include "scenarios/market/prices/price_format.hpp"
#include "scenarios/market/prices/registry.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t beginning_bytes = 64 * 1024; // enough to recognise a format

const PriceFormat&
format_of(const std::string& name, std::string_view text, const std::string& path) {
    if (name.empty())
        return recognise_price_format(text.substr(0, beginning_bytes), path);
    if (const PriceFormat* format = find_price_format(name))
        return *format;
    fail_input({path}, "format", not_a_price_format(name));
}

} // namespace

PriceFile
read_prices(const std::string& path, const std::string& format, const std::string& currency) {
    FileSource stored{path};
    return read_prices(stored, path, format, currency);
}

PriceFile read_prices(ByteSource& stored,
                      const std::string& path,
                      const std::string& format,
                      const std::string& currency) {
    const std::string packed = whole_text(stored, path);
    if (packed.empty())
        fail_input(path, mistake("the file is empty"));
    const auto unpacked = decompressed(path, std::make_unique<MemorySource>(packed));
    const std::string text = whole_text(*unpacked, path);
    const PriceFormat& form = format_of(format, text, path);

    PriceBuilder prices{path, currency};
    MemorySource bytes{text};
    if (form.read != nullptr)
        form.read(bytes, prices);
    else
        read_price_table(form, bytes, prices);
    PriceFile file = prices.finish();
    file.format = form.name;
    file.thing = form.thing;
    file.rows_are_changes = form.rows_are_changes;
    file.hash = XXH3_64bits(packed.data(), packed.size());
    return file;
}

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
