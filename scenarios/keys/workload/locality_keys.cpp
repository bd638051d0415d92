#include "scenarios/keys/workload/workload_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr double max_slowdown = 1000;

Written written_at(const Reader& at) {
    return {at.node().place(), at.path()};
}

Table<LocalitySpec> level_keys() {
    return table<LocalitySpec>(
               {
                   {optional("require", &LocalitySpec::require, identifier()),
                    "the level of the topology that a gang may not spread beyond"},
                   {optional("prefer", &LocalitySpec::prefer, identifier()),
                    "the level a gang should not spread beyond where there is a choice"},
               })
        .check([](const Reader& at, LocalitySpec& spec, const KeysRead&) {
            if (const auto require = at.find("require"))
                spec.written_require = written_at(*require);
            if (const auto prefer = at.find("prefer"))
                spec.written_prefer = written_at(*prefer);
            if (!at.find("require") && !at.find("prefer"))
                at.mistake("names no level", {}, "give require, prefer or both");
        });
}

/// Factors by level.
struct SlowdownRule {
    using value_type = std::vector<LevelSlowdown>;

    [[nodiscard]] std::optional<value_type> read(const Reader& at) const {
        const auto factors = rule().read(at);
        if (!factors)
            return std::nullopt;
        if (factors->empty())
            return at.mistake("names no level");
        value_type out;
        for (const auto& [level, factor] : *factors)
            out.push_back({level, factor, written_at(*at.find(level))});
        return out;
    }
    [[nodiscard]] Schema schema() const { return rule().schema(); }

  private:
    static MapRule<NumberRule> rule() {
        return map_of(NumberRule{1, Bound::included, max_slowdown},
                      "a mapping of locality levels to factors such as {rack: 1.1, fabric: 1.3}");
    }
};

} // namespace

std::vector<Key<ClassSpec>> locality_keys() {
    return {
        {optional("locality", &ClassSpec::locality, level_keys()),
         "how far its gangs may or should spread over the topology; default: anywhere"},
        {optional("slowdown", &ClassSpec::slowdown, SlowdownRule{}),
         "run time of a gang at a level over that at the narrowest; a level not named is "
         "as slow as the next narrower one; default 1; a model computes it"},
    };
}

void check_locality(const Reader& at) {
    const auto slowdown = at.find("slowdown");
    if (slowdown && at.find("model"))
        slowdown->mistake("cannot be combined with model", "the model computes what links cost");
}

}} // namespace bursar::scenarios
