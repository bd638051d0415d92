#include <array>
#include <string>
#include <utility>

#include "models/errors/model_error.hpp"
#include "models/market/supply_generators.hpp"

#include "scenarios/keys/fleet/fleet_keys.hpp"
#include "scenarios/keys/price/price_keys.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::array<std::string_view, 3> reclaim_names{"newest", "oldest", "random"};

/// A mapping that names a file of availability.
struct WrittenSeries {
    std::string file;
    AvailabilityOptions options;
    std::string family;
    std::optional<Duration> up, down;
    std::optional<double> correlation;
};

std::vector<Key<WrittenSeries>> file_keys(const std::string& name, std::string help) {
    using Options = AvailabilityOptions;
    return {
        {optional(name, &WrittenSeries::file, file()), std::move(help)},
        {optional("format",
                  within(&WrittenSeries::options, &Options::format),
                  one_of(availability_formats())),
         "format of the file; default: by how it begins"},
        {optional("polarity",
                  within(&WrittenSeries::options, &Options::inverted),
                  ChoiceRule<bool>{{{"available", false}, {"inverted", true}}}),
         "inverted: the file counts what is missing; default available"},
        {optional("tick", within(&WrittenSeries::options, &Options::tick), duration(Zero::refused)),
         "time between two entries, in place of the file's own"},
        {optional("unit", within(&WrittenSeries::options, &Options::unit), duration(Zero::refused)),
         "of times that are bare numbers; default: what the format or its header "
         "says, else 1 s"},
        {optional("zone", within(&WrittenSeries::options, &Options::zone), text()),
         "only instances of that zone"},
        {optional("gpu", within(&WrittenSeries::options, &Options::gpu), text()),
         "only instances with that GPU"},
        {optional("gpus",
                  within(&WrittenSeries::options, &Options::gpus_per_node),
                  whole_number(1, max_gpus_per_node)),
         "only instances with this number of GPUs"}};
}

/// Reads the file; its mistakes are reported at `at`.
std::shared_ptr<const AvailabilityFile> read_series(const Reader& at,
                                                    const WrittenSeries& written) {
    AvailabilityOptions options = written.options;
    options.file = written.file;
    try {
        auto series = std::make_shared<const AvailabilityFile>(read_availability(options));
        at.names_content(series->hash);
        return series;
    } catch (const ScenarioError& error) {
        at.mistakes_in_file(error);
    } catch (const ModelError& error) {
        at.mistake("cannot be used", error.what());
    }
    return nullptr;
}

void check_generated(const Reader& at, WrittenSeries& written, const KeysRead& keys) {
    for (const char* key : {"like", "up", "down", "correlation", "family"})
        if (!keys.good(key))
            return;
    const bool has_law = written.up || written.down;
    if (written.file.empty() && !(written.up && written.down))
        at.mistake("has no law", {}, "give like, or up and down");
    else if (!written.file.empty() && has_law)
        at.mistake_at(
            "like", "cannot be combined with up and down", "it is what they are fitted to");
    for (const char* key : {"family", "format", "polarity", "tick", "unit", "zone", "gpu", "gpus"})
        if (const auto unused = at.find(key); unused && written.file.empty())
            unused->mistake("needs `like`");
    for (const char* key : {"up", "down"})
        if (const auto value = key == std::string_view{"up"} ? written.up : written.down;
            value && *value < second)
            at.mistake_at(key, "is shorter than 1 s");
    if (const auto unused = at.find("correlation"); unused && !written.file.empty())
        unused->mistake("has no effect beside `like`");
}

Table<WrittenSeries> generate_keys() {
    using T = WrittenSeries;
    std::vector<Key<T>> keys =
        file_keys("like", "a file of availability whose behaviour is drawn anew by the seed");
    for (Key<T>& key : std::vector<Key<T>>{
             {optional("family",
                       &T::family,
                       one_of({supply_family_names.begin(), supply_family_names.end()})),
              "the kind of generator that is fitted to `like`; default: what comes near "
              "enough"},
             {optional("up", &T::up, duration(Zero::refused)),
              "mean length of a time in which a node can be had, exponential"},
             {optional("down", &T::down, duration(Zero::refused)), "mean time that it cannot"},
             {optional("correlation", &T::correlation, NumberRule{0, Bound::included, 1}),
              "of two nodes: 0 (independent) to 1 (all together); default: the median of fitted "
              "traces"},
         })
        keys.push_back(std::move(key));
    return table<T, check_generated>(keys);
}

/// The generator fitted to a file.
std::shared_ptr<const FittedSupply>
fit(const Reader& at, const WrittenSeries& written, const SupplySeries& supply) {
    constexpr int num_seeds = 50;
    try {
        const std::vector<FittedSupply> fits = fit_supply(supply, num_seeds);
        if (written.family.empty())
            return std::make_shared<const FittedSupply>(chosen_fit(fits));
        for (const FittedSupply& one : fits)
            if (name_of(one.family) == written.family)
                return std::make_shared<const FittedSupply>(one);
        at.mistake_at("family", "cannot be fitted to this file");
    } catch (const ModelError& error) {
        at.mistake("cannot be fitted", error.what());
    }
    return nullptr;
}

struct WrittenAvailability {
    WrittenSeries series;
    AvailabilitySpec spec;
};

/// `generate`: a law, or a generator fitted to a file.
struct GenerateRule {
    using value_type = AvailabilitySpec;

    [[nodiscard]] std::optional<AvailabilitySpec> read(const Reader& at) const {
        const std::optional<WrittenSeries> written = generate_keys().read(at);
        if (!written)
            return std::nullopt;
        AvailabilitySpec spec;
        if (written->file.empty()) {
            spec.generated = {*written->up,
                              *written->down,
                              written->correlation.value_or(fitted_node_correlation),
                              !written->correlation};
            return spec;
        }
        const auto series = read_series(at, *written);
        if (!series)
            return std::nullopt;
        spec.fitted = fit(at, *written, series->supply);
        spec.all_or_none = series->supply.max_nodes() <= 1;
        return spec.fitted ? std::optional{spec} : std::nullopt;
    }
    [[nodiscard]] Schema schema() const { return generate_keys().schema(); }
};

Table<WrittenAvailability> availability_table() {
    using T = WrittenAvailability;
    std::vector<Key<T>> keys;
    for (Key<WrittenSeries>& key : file_keys("file", "when how many nodes could be had"))
        keys.push_back({KeyRow<T>{key.text.name,
                                  key.text.presence,
                                  [rule = key.rule](const Reader& at, T& value) {
                                      rule->read(at, &value.series);
                                  },
                                  [rule = key.rule] { return rule->schema(); }},
                        key.text.help});
    for (Key<T>& key : std::vector<Key<T>>{
             {optional("generate", &T::spec, GenerateRule{}),
              "drawn by the seed, in place of a file"},
             {optional("bid", within(&T::spec, &AvailabilitySpec::bid), price_of(gpu_prices)),
              "nodes can be had while the pool's price is not above it, and are taken back "
              "then"},
             {optional("from", within(&T::spec, &AvailabilitySpec::from), duration()),
              "time in the file at which the run begins; default: where both are dated "
              "the date, else 0"},
             {optional("notice", within(&T::spec, &AvailabilitySpec::notice), duration()),
              "between the notice of a reclaim and the end of the node; default 0"},
             {optional("reclaim",
                       within(&T::spec, &AvailabilitySpec::reclaims),
                       choice_of<ReclaimOrder>(reclaim_names)),
              "which nodes are taken back first; default newest"},
         })
        keys.push_back(std::move(key));
    return table<T>(keys).exactly_one_of({"file", "generate", "bid"});
}

/// `availability` with its file read.
struct AvailabilityRule {
    using value_type = AvailabilitySpec;

    [[nodiscard]] std::optional<AvailabilitySpec> read(const Reader& at) const {
        std::optional<WrittenAvailability> written = availability_table().read(at);
        if (!written)
            return std::nullopt;
        AvailabilitySpec spec = written->spec;
        spec.place = at.node().place();
        if (const auto from = at.find("from"); from && written->series.file.empty())
            return from->mistake("needs `file`", "only a file has another begin than the run");
        if (!written->series.file.empty() && !(spec.file = read_series(at, written->series)))
            return std::nullopt;
        if (spec.file)
            spec.all_or_none = spec.file->supply.max_nodes() <= 1;
        return spec;
    }
    [[nodiscard]] Schema schema() const { return availability_table().schema(); }
};

} // namespace

Key<PoolSpec> availability_key() {
    return {optional("availability", &PoolSpec::availability, AvailabilityRule{}),
            "spot and on_demand: how many of its nodes can be had, and how they are taken "
            "back; default: all of them, for good"};
}

void check_availability(const Reader& at, const PoolSpec& pool, const KeysRead& keys) {
    const bool by_use = pool.purchase == Purchase::on_demand || pool.purchase == Purchase::spot;
    if (const auto availability = at.find("availability");
        availability && keys.good("purchase") && !by_use)
        availability->mistake("only for purchase on_demand and spot",
                              "other capacity is never reclaimed");
}

}} // namespace bursar::scenarios
