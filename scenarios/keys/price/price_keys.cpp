#include "scenarios/keys/price/price_keys.hpp"

#include <utility>

#include "scenarios/keys/price/price_offer_keys.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The keys of `price`.
struct WrittenPrice {
    WrittenOffer offer;
    std::optional<DrawnPrice> drawn;
    PaidPrice paid{PaidPrice::market};
    std::optional<Duration> from;
};

void check_price(const Reader& at, WrittenPrice& written, const KeysRead& /*keys*/) {
    for (const std::string_view key : keys_beside_file)
        if (const auto unused = at.find(key); unused && written.drawn)
            unused->mistake("needs `file`", "drawn prices have their own under `generate`");
    if (const auto unused = at.find("from"); unused && written.drawn)
        unused->mistake("needs `file`", "drawn values begin with the run");
}

Table<WrittenPrice> price_table(const PriceContext& context) {
    std::vector<Key<WrittenPrice>> keys =
        offer_keys<WrittenPrice>("file", "prices over time, or one day's list");
    keys.push_back({optional("generate", &WrittenPrice::drawn, DrawnPriceRule{context}),
                    "prices drawn by the seed, in place of a file"});
    keys.push_back({optional("paid",
                             &WrittenPrice::paid,
                             ChoiceRule<PaidPrice>{{{"market", PaidPrice::market},
                                                    {"at-launch", PaidPrice::at_launch}}}),
                    "the price of the moment, or that of its launch until a node ends; "
                    "default market"});
    keys.push_back({optional("from", &WrittenPrice::from, duration()),
                    "time since the first price of the file at which the run begins; "
                    "default: where both are dated the date, else the file's zero"});
    return table<WrittenPrice>(keys).exactly_one_of({"file", "generate"}).check(check_price);
}

FilePrice file_price(const Reader& at, const WrittenOffer& written, ReadOffer read) {
    const Reader named = *at.find("file");
    PriceHistory& history = read.history;
    return {written.file,
            read.file->hash,
            std::move(history.offer),
            history.times,
            read.per,
            std::move(history.steps),
            history.end_ms,
            history.gpus,
            std::move(read.notes),
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
        const std::optional<Price> rate = money(price_of(gpu_prices), context.currencies).read(at);
        return rate ? std::optional<value_type>{*rate} : std::nullopt;
    }
    std::optional<WrittenPrice> written = price_table(context).read(at);
    if (!written)
        return std::nullopt;
    if (written->drawn) {
        written->drawn->paid = written->paid;
        return std::move(*written->drawn);
    }
    std::optional<ReadOffer> read = read_offer(at, "file", written->offer, context);
    if (!read)
        return std::nullopt;
    const bool file_prices_machines = read->file->thing == PricedThing::machine;
    FilePrice price = file_price(at, written->offer, std::move(*read));
    price.paid = written->paid;
    price.from = written->from;
    price.of_machines = file_prices_machines;
    if (price.from && !price.varies())
        return at.find("from")->mistake("has no effect", price.name() + " has one price");
    if (price.paid == PaidPrice::at_launch && !price.varies())
        return at.find("paid")->mistake("has no effect", price.name() + " has one price");
    return price;
}

Schema PriceRule::schema() const {
    return {{"anyOf",
             {money(price_of(gpu_prices), context.currencies).schema(),
              price_table(context).schema()}}};
}

}} // namespace bursar::scenarios
