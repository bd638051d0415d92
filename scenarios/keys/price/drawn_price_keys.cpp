#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/market/price_statistics.hpp"
#include "models/random/normal.hpp"

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/keys/price/price_keys.hpp"
#include "scenarios/keys/price/price_offer_keys.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/table.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr double max_spread = 5; ///< of logs: a factor of 150 either way
constexpr std::size_t min_stretches = 10;

/// One state of a price that switches between two.
struct WrittenRegime {
    Price floor;
    std::optional<Price> ceiling;  ///< absent: the price rests at its floor
    std::optional<Duration> every; ///< absent: one price for each stay in this state
    Duration stay{};
    double spread{1};
};

/// The keys of `generate`.
struct WrittenLaw {
    WrittenOffer offer; ///< without a file the scenario gives the law
    std::string family;
    std::optional<Duration> block;
    std::optional<Price> mean, floor, ceiling;
    std::optional<Duration> every, memory;
    std::optional<double> swing;
    std::optional<WrittenRegime> cheap, dear;
};

constexpr std::array<std::string_view, 6> mean_reverting_keys{
    "mean", "floor", "ceiling", "every", "swing", "memory"};
constexpr std::array<std::string_view, 2> regime_keys{"cheap", "dear"};

MoneyRule<QuantityRule<Price>> price(const PriceContext& context) {
    return money(price_of(gpu_prices), context.currencies);
}

void check_at_least_1_s(const Reader& at, std::string_view key, std::optional<Duration> time) {
    if (time && *time < second)
        at.mistake_at(key, "is shorter than 1 s");
}

void check_regime(const Reader& at, WrittenRegime& regime, const KeysRead& keys) {
    check_at_least_1_s(at, "every", regime.every);
    if (keys.good("stay"))
        check_at_least_1_s(at, "stay", regime.stay);
    if (!keys.good("floor") || !keys.good("ceiling") || !regime.ceiling)
        return;
    if (regime.ceiling->per != regime.floor.per)
        at.mistake_at("ceiling", "is per another thing than the floor");
    else if (regime.ceiling->nano_usd < regime.floor.nano_usd)
        at.mistake_at("ceiling", "is below the floor");
}

Table<WrittenRegime> regime_table(const PriceContext& context) {
    using T = WrittenRegime;
    return table<T, check_regime>(
        {{required("floor", &T::floor, price(context)), "lowest price"},
         {optional("ceiling", &T::ceiling, price(context)),
          "highest price, those between are as likely; default the floor"},
         {required("stay", &T::stay, duration(Zero::refused)),
          "how long it lasts on average, log-normal"},
         {optional("spread", &T::spread, NumberRule{0, Bound::included, max_spread}),
          "standard deviation of the log of that; default 1"},
         {optional("every", &T::every, duration(Zero::refused)),
          "mean time between changes while it lasts, exponential; default: "
          "one price each time"}});
}

/// Reports keys of the family that are missing, and keys of other families. at: `generate`.
template <std::size_t N>
void check_keys_of(const Reader& at,
                   const std::string& family,
                   std::string_view of_family,
                   const std::array<std::string_view, N>& keys) {
    for (const std::string_view key : keys) {
        const auto written = at.find(key);
        if (family == of_family && !written)
            at.mistake_at(key, "missing", fmt::format("{} needs it", family));
        else if (family != of_family && written)
            written->mistake(fmt::format("belongs to family {}", of_family),
                             family.empty() ? "prices like those of a file have no law of their own"
                                            : "the family is " + family);
    }
}

void check_mean_reverting(const Reader& at, const WrittenLaw& law) {
    if (!law.mean || !law.floor || !law.ceiling)
        return;
    if (law.floor->per != law.mean->per || law.ceiling->per != law.mean->per)
        at.mistake_at("mean", "floor, ceiling and mean are not per the same thing");
    else if (law.floor->nano_usd < 1)
        at.mistake_at("floor", "a price of 0 has no logarithm");
    else if (law.mean->nano_usd < law.floor->nano_usd || law.mean->nano_usd > law.ceiling->nano_usd)
        at.mistake_at("mean", "is not between floor and ceiling");
    check_at_least_1_s(at, "every", law.every);
    if (law.every && law.memory && *law.memory < *law.every)
        at.mistake_at(
            "memory", "is shorter than `every`", "a price stays as it is until its next change");
}

void check_law(const Reader& at, WrittenLaw& law, const KeysRead& keys) {
    if (!keys.good("family") || !keys.good("like"))
        return;
    const bool is_like = !law.offer.file.empty();
    if (!is_like && law.family.empty())
        at.mistake("has no law", {}, "give like, or family and its keys");
    if (!is_like && law.family == BlockBootstrapPrices::name)
        at.mistake_at("like", "missing", "blocks are taken from a file");
    for (const std::string_view key : keys_beside_file)
        if (const auto unused = at.find(key); unused && !is_like)
            unused->mistake("needs `like`");
    if (law.block && law.family != BlockBootstrapPrices::name)
        at.find("block")->mistake("belongs to family block-bootstrap");
    check_at_least_1_s(at, "block", law.block);
    const std::string family = is_like ? "" : law.family;
    if (family == BlockBootstrapPrices::name || (!is_like && family.empty()))
        return;
    check_keys_of(at, family, MeanRevertingPrices::name, mean_reverting_keys);
    check_keys_of(at, family, RegimeSwitchingPrices::name, regime_keys);
    check_mean_reverting(at, law);
    if (law.cheap && law.dear && law.cheap->floor.per != law.dear->floor.per)
        at.mistake_at("dear", "is per another thing than `cheap`");
}

Table<WrittenLaw> law_table(const PriceContext& context) {
    using T = WrittenLaw;
    std::vector<Key<T>> keys =
        offer_keys<T>("like", "a file of prices whose behaviour is drawn anew");
    for (Key<T>& key : std::vector<Key<T>>{
             {optional("family",
                       &T::family,
                       one_of({std::string{MeanRevertingPrices::name},
                               std::string{RegimeSwitchingPrices::name},
                               std::string{BlockBootstrapPrices::name}})),
              "kind of generator; default, with `like`: what `bursar market fit` chooses"},
             {optional("block", &T::block, duration(Zero::refused)),
              "block-bootstrap: length of a block; default: what comes nearest"},
             {optional("mean", &T::mean, price(context)),
              "mean-reverting: mean price, but for what floor and ceiling cut off"},
             {optional("floor", &T::floor, price(context)),
              "mean-reverting: lowest price, above 0"},
             {optional("ceiling", &T::ceiling, price(context)), "mean-reverting: highest price"},
             {optional("every", &T::every, duration(Zero::refused)),
              "mean-reverting: mean time between changes, exponential"},
             {optional("swing", &T::swing, NumberRule{0, Bound::included, max_spread}),
              "mean-reverting: standard deviation of the price's log over a long time"},
             {optional("memory", &T::memory, duration(Zero::refused)),
              "mean-reverting: time after which the price's log has a correlation of 0.37 (1 / e) "
              "with itself; not below `every`"},
             {optional("cheap", &T::cheap, regime_table(context)),
              "regime-switching: the state in which prices begin"},
             {optional("dear", &T::dear, regime_table(context)),
              "regime-switching: the other state"}})
        keys.push_back(std::move(key));
    return table<T, check_law>(keys);
}

MeanRevertingPrices mean_reverting(const WrittenLaw& law) {
    MeanRevertingPrices g;
    g.floor = law.floor->nano_usd;
    g.ceiling = law.ceiling->nano_usd;
    // The mean of a log-normal price is above the price at the mean of its logs.
    g.mean_log =
        portable_log(static_cast<double>(law.mean->nano_usd)) - *law.swing * *law.swing / 2;
    g.mean_step_ms = static_cast<double>(law.every->count());
    // What makes the correlation fall to 1 / e after `memory`.
    g.persistence = 1 - g.mean_step_ms / static_cast<double>(law.memory->count());
    g.noise = *law.swing * std::sqrt(1 - g.persistence * g.persistence);
    return g;
}

PriceRegime regime(const WrittenRegime& written) {
    PriceRegime out;
    out.quantiles = {written.floor.nano_usd, written.ceiling.value_or(written.floor).nano_usd};
    out.mean_stay_ms = static_cast<double>(written.stay.count());
    out.stay_spread = written.spread;
    // Changes this rare leave one price for each stay.
    out.mean_step_ms = written.every ? static_cast<double>(written.every->count())
                                     : static_cast<double>(max_series_time.count());
    return out;
}

/// The generator fitted by `like` and `family`; reports a failed fit.
std::optional<FittedPrices>
taken(const Reader& at, const WrittenLaw& law, const ReadOffer& read, PriceFiles& files) {
    const auto fit = files.fit(read.history);
    if (!fit) {
        at.mistake_at("like",
                      read.history.offer.text() + " never changes",
                      "there is nothing to fit",
                      "take the file itself: `file` in place of `generate`");
        return std::nullopt;
    }
    if (law.family.empty())
        return fit->families[fit->chosen];
    const auto family = std::ranges::find_if(fit->families, [&](const FittedPrices& one) {
        return family_of(one.generator) == law.family;
    });
    if (family == fit->families.end()) {
        at.mistake_at("family", "cannot be fitted", "a price of 0 has no logarithm");
        return std::nullopt;
    }
    FittedPrices found = *family;
    if (law.block) {
        std::get<BlockBootstrapPrices>(found.generator).block = *law.block;
        const Duration end{read.history.end_ms};
        const MoneyRate mean = price_statistics(read.history.steps, end).mean;
        found.figures =
            figures_of(found.generator, read.history.length(), mean, first_fit_seed, num_fit_seeds);
        found.worst = found.figures.relative_to(fit->real).worst();
    }
    return found;
}

std::optional<DrawnPrice>
drawn_like(const Reader& at, const WrittenLaw& law, const PriceContext& context) {
    std::optional<ReadOffer> read = read_offer(at, "like", law.offer, context);
    if (!read)
        return std::nullopt;
    const std::optional<FittedPrices> fitted = taken(at, law, *read, *context.files);
    if (!fitted)
        return std::nullopt;
    const Reader like = *at.find("like");
    const Duration end{read->history.end_ms};
    const std::size_t stretches =
        up_times(read->history.steps, end, price_statistics(read->history.steps, end).mean).size();
    if (stretches < min_stretches)
        read->notes.push_back(like.finding(
            fmt::format("only {} stretches of time at or below the mean price", stretches),
            "their length and its variation are hardly known from these few"));
    return DrawnPrice{
        fitted->generator,
        read->per,
        PriceLike{read->history.offer, law.offer.file, read->file->hash, fitted->worst},
        std::move(read->notes),
        {like.node().place(), like.path()}};
}

} // namespace

std::optional<DrawnPrice> DrawnPriceRule::read(const Reader& at) const {
    const std::optional<WrittenLaw> law = law_table(context).read(at);
    if (!law)
        return std::nullopt;
    if (!law->offer.file.empty())
        return drawn_like(at, *law, context);
    DrawnPrice drawn;
    drawn.where = {at.node().place(), at.path()};
    if (law->family == MeanRevertingPrices::name) {
        drawn.generator = mean_reverting(*law);
        drawn.per = law->mean->per;
    } else {
        drawn.generator = RegimeSwitchingPrices{{regime(*law->cheap), regime(*law->dear)}, 0};
        drawn.per = law->cheap->floor.per;
    }
    return drawn;
}

Schema DrawnPriceRule::schema() const {
    return law_table(context).schema();
}

}} // namespace bursar::scenarios
