#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/keys/price/currencies.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/reader/text_rules.hpp"
#include "scenarios/scenario/price_spec.hpp"

namespace bursar { inline namespace scenarios {

/// One offer of a price file as a mapping names it.
struct WrittenOffer {
    std::string file;
    std::string format;
    std::string currency; ///< empty: dollars
    PriceOffer wanted;
    std::optional<PricePer> per;
    Outliers outliers{};
};

/// The same with its prices.
struct ReadOffer {
    std::shared_ptr<const PriceFile> file;
    PriceHistory history;
    PricePer per{PricePer::node};
    std::vector<Finding> notes; ///< of the readers of both
};

/// The names of all price formats.
std::vector<std::string> price_format_names();

/// Reads the offer that the mapping `at` names. file_key: the key of the file. Absent after a
/// reported mistake of the keys or of the file.
std::optional<ReadOffer> read_offer(const Reader& at,
                                    const std::string& file_key,
                                    const WrittenOffer& written,
                                    const PriceContext& context);

/// The keys of a mapping that names an offer; they fill the member `offer` of T. file_key: the key
/// of the file, optional in this table.
template <class T>
std::vector<Key<T>> offer_keys(std::string file_key, std::string help) {
    const auto row = [](std::string key, auto part, auto rule) {
        return optional(std::move(key), within(&T::offer, part), std::move(rule));
    };
    const auto wanted = [](std::string key, std::string PriceOffer::*part) {
        return key_row<T>(
            std::move(key),
            Presence::optional,
            [part](T& value) -> std::string& { return value.offer.wanted.*part; },
            text());
    };
    using W = WrittenOffer;
    return {
        {row(std::move(file_key), &W::file, file()), std::move(help)},
        {row("format", &W::format, one_of(price_format_names())),
         "of the file; default: recognised by its content"},
        {row("currency", &W::currency, text()),
         "of the file's numbers, as declared under `currencies`; default USD"},
        {wanted("type", &PriceOffer::type), "type of machine, as the file calls it"},
        {wanted("region", &PriceOffer::region), "region of the price"},
        {wanted("zone", &PriceOffer::zone), "zone of the region"},
        {wanted("purchase", &PriceOffer::purchase), "on_demand, spot, or a term of the file"},
        {wanted("product", &PriceOffer::product),
         "operating system and the like; default: Linux, where there are several"},
        {row("per",
             &W::per,
             ChoiceRule<PricePer>{{{"node", PricePer::node}, {"gpu", PricePer::gpu}}}),
         "what the prices are for; default node, where the format says so"},
        {row("outliers",
             &W::outliers,
             ChoiceRule<Outliers>{{{"keep", Outliers::keep}, {"drop", Outliers::drop}}}),
         "a price ten times its neighbours, or a tenth: keep it, or the one before it holds on; "
         "default keep"},
    };
}

/// The keys that offer_keys() has beside the file's.
inline constexpr std::array<std::string_view, 9> keys_beside_file{
    "format", "currency", "type", "region", "zone", "purchase", "product", "per", "outliers"};

}} // namespace bursar::scenarios
