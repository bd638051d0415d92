#include "scenarios/keys/scenario_keys.hpp"

#include <utility>
#include <vector>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/keys/fleet/fleet_keys.hpp"
#include "scenarios/keys/policy/policy_keys.hpp"
#include "scenarios/keys/price/price_keys.hpp"
#include "scenarios/keys/sweep_rule.hpp"
#include "scenarios/keys/workload/workload_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/schema.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// A key whose value is either the word `word`, which sets `flag` of T, or a value that `rule`
/// reads into `member`. A text without a digit is read as a word.
template <class T, class Member, ValueRule Rule>
KeyRow<T> word_or(std::string name, std::string word, bool T::*flag, Member T::*member, Rule rule) {
    return {std::move(name),
            Presence::optional,
            [word, flag, member, rule](const Reader& at, T& value) {
                const Node& node = at.node();
                const bool is_word = node.kind == NodeKind::scalar && !node.text.empty() &&
                                     node.text.find_first_of("0123456789") == std::string::npos;
                if (is_word && node.text == word)
                    value.*flag = true;
                else if (is_word)
                    at.mistake(in_quotes(node.text) + " is neither a quantity nor " + word,
                               {},
                               suggestion(node.text, std::vector{word}));
                else if (auto read = rule.read(at))
                    value.*member = std::move(*read);
            },
            [word, rule] {
                return Schema{{"anyOf", {rule.schema(), {{"const", word}}}}};
            }};
}

/// The version of the format: an old program refuses a file that it would misread.
struct VersionRule {
    using value_type = int;
    static constexpr int version = 1;

    [[nodiscard]] std::optional<int> read(const Reader& at) const {
        if (at.node().quoted && at.node().text == "1")
            return at.mistake("expected the number 1, found text", {}, "write it without quotes");
        if (at.node().kind != NodeKind::scalar || at.node().quoted || at.node().text != "1")
            return at.mistake(shown(at.node()) + " is not a supported version",
                              "the first line of a scenario is \"bursar: 1\"");
        return version;
    }
    [[nodiscard]] Schema schema() const { return {{"const", version}}; }
};

/// Includes are resolved when a file is loaded; one that is left came from --set.
struct IncludeRule {
    using value_type = int;

    [[nodiscard]] std::optional<int> read(const Reader& at) const {
        return at.mistake("cannot be set by --set", "only files include files");
    }
    [[nodiscard]] Schema schema() const { return one_or_list_of(file()).schema(); }
};

void check_measure(const Reader& at, Scenario& scenario, const KeysRead& keys) {
    if (keys.good("from") && keys.good("to") && scenario.measure_to &&
        *scenario.measure_to <= scenario.measure_from)
        at.mistake_at("to", "the measured time is empty", "it ends before it begins");
}

Table<Scenario> measure_keys() {
    return table<Scenario, check_measure>({
        {optional("from", &Scenario::measure_from, duration()),
         "jobs submitted before are not measured; default 0 s"},
        {optional("to", &Scenario::measure_to, duration(Zero::refused)),
         "jobs submitted from then on are not measured; default: the end of the run"},
    });
}

Table<Scenario> repeat_keys() {
    return table<Scenario>({
        {optional("seeds", &Scenario::seeds, whole_number(1, 10'000)),
         "number of seeds to run; default 1"},
    });
}

/// Moves the required keys of `mapping` and of the mappings inside it into a separate schema. Keys
/// inside lists stay: an including file replaces a list as a whole.
Schema take_obligations(Schema& mapping) {
    Schema obligations = Schema::object();
    for (const char* keyword : {"required", "anyOf"}) {
        if (mapping.contains(keyword))
            obligations[keyword] = mapping.take(keyword);
    }
    Schema& properties = mapping["properties"];
    for (std::size_t i = 0; i < properties.items().size(); ++i) {
        Schema& property = properties.items()[i];
        if (!property.contains("properties"))
            continue;
        Schema inner = take_obligations(property);
        if (!inner.empty())
            obligations["properties"][properties.names()[i]] = std::move(inner);
    }
    return obligations;
}

} // namespace

Table<Scenario>
scenario_keys(const KnownNames& names, const Catalogue& catalogue, const PriceContext& prices) {
    std::vector<Key<Scenario>> keys{
        {noted<Scenario>("bursar", Presence::required, VersionRule{}), "version of this format: 1"},
        {optional("name", &Scenario::name, text()),
         "title of the reports; default: the file's name"},
        {noted<Scenario>("include", Presence::optional, IncludeRule{}),
         "a file, or a list of files, that this one overrides"},
        {section("workload", Presence::required, workload_keys(names, catalogue)), "the jobs"},
        {optional("currencies", &Scenario::currencies, CurrenciesRule{prices.currencies}),
         "other currencies of prices, by code, such as EUR; bills are in dollars"},
        {section("report",
                 Presence::optional,
                 table<Scenario>({{optional("currency",
                                            &Scenario::bill_currency,
                                            BillCurrencyRule{prices.currencies}),
                                   "one of `currencies`, which the totals of the bill are "
                                   "shown in beside dollars"}})),
         "what the reports show"},
        {required("fleet", &Scenario::fleet, list_of(pool_keys(catalogue, prices))),
         "the pools of nodes that run the jobs, at least one"},
        {optional("budgets", &Scenario::budgets, list_of(budget_keys())),
         "limits on what is spent, and alerts; default none"},
        calendar_key(),
        {optional("energy", &Scenario::energy, energy_keys()),
         "energy and carbon of all pools are worked out, from this where they do not say "
         "it; default: they are not"},
        {optional("commitments", &Scenario::commitments, list_of(commitment_keys(prices))),
         "promises to spend on pools, paid for whether they are used or not"},
        {optional("egress", &Scenario::egress, list_of(egress_keys(prices))),
         "what moving data between regions costs; default: as the store says"},
        {optional("quotas", &Scenario::quotas, list_of(quota_keys())),
         "the most nodes that pools may have together; default: none"},
        {optional("tenants", &Scenario::tenants, list_of(tenant_keys())),
         "what each tenant may use of the fleet, under `allocator: quotas`; default: no quotas"},
        {optional("policy", &Scenario::policy, policy_keys(names)),
         "queue order, placement and preemption"},
        {section("measure", Presence::optional, measure_keys()),
         "part of the run that metrics and ledger cover"},
        {word_or("until",
                 "last-submit",
                 &Scenario::until_last_submit,
                 &Scenario::until,
                 duration(Zero::refused)),
         "end of the run and of what is paid; default: the last job's end"},
        {section("repeat", Presence::optional, repeat_keys()), "repetitions with other seeds"},
    };
    std::vector<std::string> swept;
    for (const Key<Scenario>& key : keys)
        swept.push_back(key.text.name);
    keys.push_back({optional("sweep", &Scenario::sweep, SweepRule{std::move(swept)}),
                    "values of paths that `bursar sweep` combines"});
    return table<Scenario>(keys);
}

std::string scenario_schema(const KnownNames& names, const Catalogue& catalogue) {
    Schema schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                     {"$id", "https://bursar.example/schemas/bursar.schema.json"},
                     {"title", "bursar scenario"}};
    schema.update(scenario_keys(names, catalogue, {std::make_shared<PriceFiles>()}).schema());
    Schema obligations = take_obligations(schema);
    schema["if"] = {{"required", {"include"}}};
    schema["then"] = Schema::object();
    schema["else"] = std::move(obligations);
    return schema.text();
}

}} // namespace bursar::scenarios
