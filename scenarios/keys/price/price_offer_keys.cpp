#include "scenarios/keys/price/price_offer_keys.hpp"

#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/market/prices/choose_offer.hpp"
#include "scenarios/market/prices/registry.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The place of each key of the offer, or of the mapping if it is missing.
OptionPlaces offer_places(const Reader& at) {
    OptionPlaces places;
    for (const char* key : {"type", "region", "zone", "purchase", "product"}) {
        const std::optional<Reader> written = at.find(key);
        places.note(key,
                    {written ? written->node().place() : at.node().place(),
                     written ? written->path() : at.path() + '.' + key});
    }
    return places;
}

/// Whether prices are per GPU or per node. Reports when neither the key nor the format says so, and
/// when they differ.
std::optional<PricePer>
unit_of_prices(const Reader& at, const std::optional<PricePer>& written, const PriceFile& file) {
    const bool is_machine = file.thing == PricedThing::machine;
    if (is_machine && written == PricePer::gpu)
        return at.find("per")->mistake("the file prices whole machines",
                                       fmt::format("its format is {}", file.format),
                                       "remove it");
    if (is_machine || written)
        return written.value_or(PricePer::node);
    at.mistake_at("per",
                  "missing",
                  "the file does not say whether a price is of a node or of a GPU",
                  "give node or gpu");
    return std::nullopt;
}

/// Converts the rates of `series` to dollars; reports an undeclared currency.
bool to_dollars(const Reader& at,
                const std::string& code,
                const Currencies& currencies,
                PriceSeries& series) {
    if (code.empty() || code == "USD")
        return true;
    const Currency* currency = currencies.find(code);
    if (currency == nullptr) {
        at.find("currency")
            ->mistake(fmt::format("{} is no currency of this scenario", in_quotes(code)),
                      fmt::format("known: {}", fmt::join(currencies.codes(), ", ")),
                      "declare it under `currencies`");
        return false;
    }
    for (std::int64_t& rate : series.rate)
        rate = in_nano_usd(rate, *currency);
    if (series.is_valid())
        return true;
    at.find("currency")->mistake("a price is too high in dollars", "at most 1e6 USD/h");
    return false;
}

} // namespace

std::vector<std::string> price_format_names() {
    std::vector<std::string> names;
    for (const PriceFormat& format : price_formats())
        names.emplace_back(format.name);
    return names;
}

std::optional<ReadOffer> read_offer(const Reader& at,
                                    const std::string& file_key,
                                    const WrittenOffer& written,
                                    const PriceContext& context) {
    try {
        const std::string currency = written.currency.empty() ? "USD" : written.currency;
        ReadOffer read{context.files->read(written.file, written.format, currency), {}, {}, {}};
        const PriceFile& file = *read.file;
        at.names_content(file.hash);
        const std::optional<PricePer> per = unit_of_prices(at, written.per, file);
        read.notes = file.notes;
        read.history =
            price_history(file,
                          choose_offer(file, {written.wanted, offer_places(at)}, read.notes),
                          written.outliers);
        read.notes.insert(read.notes.end(), read.history.notes.begin(), read.history.notes.end());
        if (!per || !to_dollars(at, written.currency, *context.currencies, read.history.steps))
            return std::nullopt;
        read.per = *per;
        return read;
    } catch (const ScenarioError& error) {
        return at.find(file_key)->mistakes_in_file(error);
    }
}

}} // namespace bursar::scenarios
