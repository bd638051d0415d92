#include "scenarios/scenario/price_keys.hpp"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/market/prices/choose_offer.hpp"
#include "scenarios/market/prices/price_history.hpp"
#include "scenarios/market/prices/read_prices.hpp"
#include "scenarios/market/prices/registry.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar::inline scenarios {
namespace {

/// What stands under `price`.
struct PriceFileKeys {
    std::string file;
    std::string format;
    PriceOffer wanted;
    std::optional<PricePer> per;
};

Key<PriceFileKeys> offer_row(std::string key, std::string PriceOffer::*part, std::string help) {
    return key_row<PriceFileKeys>(
        {std::move(key), std::move(help), Presence::optional},
        [part](PriceFileKeys& keys) -> std::string& { return keys.wanted.*part; },
        text());
}

Table<PriceFileKeys> price_file_keys() {
    std::vector<std::string> formats;
    for (const PriceFormat& format : price_formats())
        formats.emplace_back(format.name);
    return table<PriceFileKeys>({
        required("file", &PriceFileKeys::file, file(), "prices over time, or one day's list"),
        optional("format",
                 &PriceFileKeys::format,
                 one_of(std::move(formats)),
                 "of the file; default: told by its content"),
        offer_row("type", &PriceOffer::type, "type of machine, as the file calls it"),
        offer_row("region", &PriceOffer::region, "region of the price"),
        offer_row("zone", &PriceOffer::zone, "zone of the region"),
        offer_row("purchase", &PriceOffer::purchase, "on_demand, spot, or a term of the file"),
        offer_row("product",
                  &PriceOffer::product,
                  "operating system and the like; default: Linux, where there are several"),
        optional("per",
                 &PriceFileKeys::per,
                 ChoiceRule<PricePer>{{{"node", PricePer::node}, {"gpu", PricePer::gpu}}},
                 "what the prices are asked for; default node, where the format says so"),
    });
}

/// Where each part of the offer was written, or would be.
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

/// What the prices are asked for; reports where neither key nor format says it, or both do and
/// differ.
std::optional<PricePer>
asked_for(const Reader& at, const std::optional<PricePer>& written, const PriceFile& file) {
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

std::optional<FilePrice> read_file(const Reader& at, const PriceFileKeys& keys) {
    const Reader named = *at.find("file");
    PriceFile file = read_prices(keys.file, keys.format);
    at.names_content(file.hash);
    const std::optional<PricePer> per = asked_for(at, keys.per, file);
    std::vector<Finding> notes = std::move(file.notes);
    PriceHistory history =
        price_history(file, choose_offer(file, {keys.wanted, offer_places(at)}, notes));
    notes.insert(notes.end(), history.notes.begin(), history.notes.end());
    if (!per)
        return std::nullopt;
    return FilePrice{keys.file,
                     file.hash,
                     std::move(history.offer),
                     history.times,
                     *per,
                     std::move(history.steps),
                     history.end_ms,
                     history.gpus,
                     std::move(notes),
                     {named.node().place(), named.path()}};
}

} // namespace

QuantityRule<Price> price_of(const Dimension& dimension) {
    return {dimension, Zero::allowed, [](Measure measure) {
                const bool per_node = measure.unit->name.find("/node") != std::string_view::npos;
                return Price{measure.count, per_node ? PricePer::node : PricePer::gpu};
            }};
}

std::optional<PriceRule::value_type> PriceRule::read(const Reader& at) const {
    if (at.node().kind != NodeKind::mapping) {
        const std::optional<Price> rate = price_of(gpu_prices).read(at);
        return rate ? std::optional<value_type>{*rate} : std::nullopt;
    }
    const std::optional<PriceFileKeys> keys = price_file_keys().read(at);
    if (!keys)
        return std::nullopt;
    try {
        std::optional<FilePrice> price = read_file(at, *keys);
        return price ? std::optional<value_type>{std::move(*price)} : std::nullopt;
    } catch (const ScenarioError& error) {
        return at.find("file")->mistakes_in_file(error);
    }
}

Schema PriceRule::schema() const {
    return {{"anyOf", {price_of(gpu_prices).schema(), price_file_keys().schema()}}};
}

} // namespace bursar::inline scenarios
