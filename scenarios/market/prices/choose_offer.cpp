#include "scenarios/market/prices/choose_offer.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

using Offers = std::vector<const OfferedPrices*>;

/// One part of an offer.
struct Part {
    std::string_view key;
    std::string_view plural;
    std::string PriceOffer::*text;
};
constexpr std::array parts{
    Part{"type", "types", &PriceOffer::type},
    Part{"region", "regions", &PriceOffer::region},
    Part{"zone", "zones", &PriceOffer::zone},
    Part{"purchase", "purchases", &PriceOffer::purchase},
    Part{"product", "products", &PriceOffer::product},
};

std::vector<std::string> names_of(const Offers& offers, const Part& part) {
    std::set<std::string> names;
    for (const OfferedPrices* offered : offers)
        names.insert(offered->offer.*part.text);
    return {names.begin(), names.end()};
}

/// Throws the mistake at the key, or at the file if the key was not written.
[[noreturn]] void
fail_key(const OfferKeys& keys, const PriceFile& file, std::string_view key, Finding finding) {
    const Written* written = keys.places.find(key);
    if (written == nullptr)
        fail_input({file.path}, std::string{key}, std::move(finding));
    fail_input(written->place, written->path, std::move(finding));
}

Offers with(const Offers& offers, const Part& part, std::string_view name) {
    Offers left;
    std::ranges::copy_if(offers, std::back_inserter(left), [&](const OfferedPrices* offered) {
        return offered->offer.*part.text == name;
    });
    return left;
}

bool is_linux(std::string_view product) {
    const std::string small = lower_case(product);
    return small == "linux" || small == "linux/unix";
}

} // namespace

std::vector<const OfferedPrices*> offers_called(const PriceFile& file, const OfferKeys& keys) {
    Offers left;
    for (const OfferedPrices& offered : file.offers)
        left.push_back(&offered);
    std::string so_far;
    for (const Part& part : parts) {
        const std::string& wanted = keys.wanted.*part.text;
        if (wanted.empty())
            continue;
        const std::vector<std::string> known = names_of(left, part);
        const std::string* meant = meant_name(wanted, known);
        if (meant == nullptr)
            fail_key(
                keys,
                file,
                part.key,
                mistake(fmt::format("{} is no {} of {}", in_quotes(wanted), part.key, file.path),
                        so_far.empty() ? "" : "of " + so_far,
                        suggestion(wanted, known)));
        left = with(left, part, *meant);
        so_far += (so_far.empty() ? "" : " ") + *meant;
    }
    return left;
}

const OfferedPrices&
choose_offer(const PriceFile& file, const OfferKeys& keys, std::vector<Finding>& notes) {
    Offers left = offers_called(file, keys);
    for (const Part& part : parts) {
        const std::vector<std::string> names = names_of(left, part);
        if (names.size() == 1)
            continue;
        const auto plain = std::ranges::find_if(names, is_linux);
        if (part.key != "product" || plain == names.end())
            fail_key(keys,
                     file,
                     part.key,
                     mistake(fmt::format("{} {} of {} match", names.size(), part.plural, file.path),
                             listed_names(names),
                             fmt::format("choose one with `{}`", part.key)));
        Finding note = mistake(fmt::format("product {} is taken", *plain),
                               fmt::format("the file has {}", listed_names(names)));
        left = with(left, part, *plain);
        const FieldPlace first = left.front()->points.front().place;
        note.place = {file.path, first.line, first.column};
        notes.push_back(std::move(note));
    }
    return *left.front();
}

}} // namespace bursar::scenarios
