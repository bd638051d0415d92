#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/keys/workload/workload_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

enum class Step : std::uint8_t { any, powers };

/// The keys of `elastic`, and of its `speedup`.
struct WrittenSpeedup {
    std::optional<double> amdahl;
    std::vector<std::pair<std::string, double>> table;
};
struct WrittenElastic {
    CountRange gpus;
    Step step{};
    std::optional<WrittenSpeedup> speedup;
    std::optional<Duration> rescale;
    bool moldable{};
};

/// `{amdahl: 0.98}`, or `{1: 1, 8: 6.4}`.
struct SpeedupRule {
    using value_type = WrittenSpeedup;

    [[nodiscard]] std::optional<value_type> read(const Reader& at) const {
        value_type out;
        if (const auto share =
                at.node().kind == NodeKind::mapping ? at.find("amdahl") : std::nullopt) {
            out.amdahl = parallel().read(*share);
            if (at.node().pairs.size() > 1)
                return at.mistake("cannot have numbers of GPUs beside amdahl");
            return out.amdahl ? std::optional{out} : std::nullopt;
        }
        const auto table = speedups().read(at);
        if (!table)
            return std::nullopt;
        out.table = *table;
        return out;
    }
    [[nodiscard]] Schema schema() const {
        return {{"anyOf",
                 {Schema{{"type", "object"},
                         {"properties", {{"amdahl", parallel().schema()}}},
                         {"additionalProperties", false}},
                  speedups().schema()}}};
    }

  private:
    static NumberRule parallel() { return NumberRule{0, Bound::included, 1}; }
    static MapRule<NumberRule> speedups() {
        return map_of(NumberRule{0, Bound::excluded, 1e6},
                      "{amdahl: SHARE} or a mapping of numbers of GPUs to speedups such as {1: 1, "
                      "8: 6.4}");
    }
};

/// The numbers of GPUs that the keys name, fewest first.
std::vector<std::uint32_t> sizes_of(const WrittenElastic& written) {
    std::vector<std::uint32_t> out;
    for (std::int64_t gpus = *written.gpus.min; gpus <= *written.gpus.max; ++gpus)
        if (written.step == Step::any || (gpus & (gpus - 1)) == 0)
            out.push_back(static_cast<std::uint32_t>(gpus));
    return out;
}

void read_table(const Reader& at, const WrittenSpeedup& written, ElasticSpec& spec) {
    for (const auto& [text, speedup] : written.table) {
        std::uint32_t gpus = 0;
        const auto end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, gpus);
        if (error != std::errc{} || stop != end || gpus == 0 || gpus > max_elastic_gpus) {
            at.find(text)->mistake("is no number of GPUs",
                                   fmt::format("1 to {}", max_elastic_gpus));
            return;
        }
        spec.table.push_back({gpus, speedup});
    }
    std::ranges::sort(spec.table, {}, &ElasticSpec::Point::gpus);
    for (std::size_t i = 1; i < spec.table.size(); ++i)
        if (spec.table[i].gpus == spec.table[i - 1].gpus) {
            at.mistake("names a number of GPUs twice");
            return;
        }
    if (spec.table.front().gpus > spec.gpus.front() || spec.table.back().gpus < spec.gpus.back())
        at.mistake("does not reach over all numbers of GPUs that its jobs may have",
                   fmt::format("they may have {} to {}", spec.gpus.front(), spec.gpus.back()),
                   "name the least and the most");
}

/// `elastic`.
struct ElasticRule {
    using value_type = ElasticSpec;

    [[nodiscard]] std::optional<value_type> read(const Reader& at) const {
        const std::size_t before = at.num_mistakes();
        const auto written = keys().read(at);
        if (!written)
            return std::nullopt;
        ElasticSpec spec;
        spec.rescale = written->rescale;
        spec.moldable = written->moldable;
        if (spec.moldable && spec.rescale)
            at.find("rescale")->mistake("has no effect with moldable",
                                        "its jobs keep the GPUs that they start with");
        const CountRange& range = written->gpus;
        if (!range.max || *range.max > max_elastic_gpus || range.min.value_or(0) < 1)
            return at.find("gpus")->mistake("is out of range",
                                            fmt::format("1 to {} GPUs", max_elastic_gpus));
        spec.gpus = sizes_of(*written);
        if (spec.gpus.size() < 2 || spec.gpus.size() > max_elastic_sizes)
            return at.find("gpus")->mistake(
                fmt::format(
                    "{} number{} of GPUs", spec.gpus.size(), spec.gpus.size() == 1 ? "" : "s"),
                fmt::format("2 to {}", max_elastic_sizes),
                spec.gpus.size() < 2 ? "widen the range" : "narrow it, or `step: powers`");
        if (written->speedup) {
            spec.amdahl = written->speedup->amdahl;
            if (!spec.amdahl)
                read_table(*at.find("speedup"), *written->speedup, spec);
        }
        return at.num_mistakes() == before ? std::optional{std::move(spec)} : std::nullopt;
    }
    [[nodiscard]] Schema schema() const { return keys().schema(); }

  private:
    static Table<WrittenElastic> keys() {
        static constexpr std::array<std::string_view, 2> step_names{"any", "powers"};
        return table<WrittenElastic>({
            {required("gpus", &WrittenElastic::gpus, count_range()),
             "how many GPUs a job may have: \"1..16\""},
            {optional("step", &WrittenElastic::step, choice_of<Step>(step_names)),
             "any number of the range, or powers of two alone; default any"},
            {optional("speedup", &WrittenElastic::speedup, SpeedupRule{}),
             "its speed with that many GPUs; required, but for a class with a model, which says "
             "it"},
            {optional("rescale", &WrittenElastic::rescale, duration()),
             "time on its GPUs before it goes on with another number of them; default: restart"},
            {optional("moldable", &WrittenElastic::moldable, yes_or_no()),
             "yes: it keeps the GPUs that it starts with until it is stopped; default no"},
        });
    }
};

} // namespace

Key<ClassSpec> elastic_key() {
    return {optional("elastic", &ClassSpec::elastic, ElasticRule{}),
            "an allocator may give its jobs fewer or more GPUs than they ask for, at any time; "
            "default: it may not"};
}

void check_elastic(const Reader& at, const ClassSpec& spec) {
    const auto elastic = at.find("elastic");
    if (!elastic || !spec.elastic)
        return;
    const bool has_speedup = elastic->find("speedup").has_value();
    if (at.find("model") && has_speedup)
        elastic->find("speedup")->mistake("cannot be combined with model",
                                          "the model computes the speed of each gang");
    if (!at.find("model") && !has_speedup)
        elastic->mistake("has no `speedup`",
                         "without a model nothing says how fast its jobs are with other GPUs",
                         "give `speedup: {amdahl: 0.98}` or a table such as `{1: 1, 8: 6.4}`");
    if (spec.checkpoint && spec.checkpoint->keeping)
        elastic->mistake("cannot be combined with `checkpoint: {store: ...}`",
                         "what is stored at a resize is not modelled",
                         "remove one of them");
}

}} // namespace bursar::scenarios
