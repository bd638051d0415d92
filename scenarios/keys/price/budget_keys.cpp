#include <optional>
#include <string>

#include "scenarios/calendar/calendar.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/keys/price/price_keys.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

struct TimeZoneRule {
    using value_type = std::string;

    [[nodiscard]] std::optional<std::string> read(const Reader& at) const {
        std::optional<std::string> name = text().read(at);
        if (!name || is_time_zone(*name))
            return name;
        return at.mistake(in_quotes(*name) + " is no time zone",
                          "this machine's time-zone database does not have it",
                          "UTC, or a name such as Europe/Berlin");
    }
    [[nodiscard]] Schema schema() const { return text().schema(); }
};

Table<BurnSpec> burn_keys() {
    return table<BurnSpec>({
        {required("above", &BurnSpec::nano_usd_per_hour, amount(spending_rates, Zero::refused)),
         "the limit on the rate of spending"},
        {required("over", &BurnSpec::over, duration(Zero::refused)), "time of the average"},
    });
}

} // namespace

Table<BudgetSpec> budget_keys() {
    return table<BudgetSpec>(
               {
                   {optional("name", &BudgetSpec::name, text()), "what reports call it"},
                   {required(
                        "limit", &BudgetSpec::limit_nano_usd, amount(sums_of_money, Zero::refused)),
                    "what may be spent"},
                   {optional("pool", &BudgetSpec::pool, text()), "of this pool; default: of all"},
                   {optional("tenant", &BudgetSpec::tenant, text()),
                    "for what the jobs of this tenant hold; default: for all"},
                   {optional("per",
                             &BudgetSpec::is_monthly,
                             ChoiceRule<bool>{{{"run", false}, {"month", true}}}),
                    "for the run, or for each calendar month anew; default run"},
                   {optional("then",
                             &BudgetSpec::then,
                             ChoiceRule<BudgetThen>{{{"alert", BudgetThen::alert},
                                                     {"stop-admitting", BudgetThen::stop_admitting},
                                                     {"stop-jobs", BudgetThen::stop_jobs}}}),
                    "what it does once the limit is spent; default alert"},
                   {optional("fail", &BudgetSpec::fails, yes_or_no()),
                    "whether `bursar run` ends with exit code 3 where it is exceeded; "
                    "default no"},
                   {optional("burn", &BudgetSpec::burn, burn_keys()),
                    "an alert on the rate of spending; default none"},
               })
        .at_most_one_of({"pool", "tenant"})
        .check([](const Reader& at, BudgetSpec& budget, const KeysRead&) {
            budget.place = at.node().place();
        });
}

Key<Scenario> calendar_key() {
    return {optional("calendar", &Scenario::calendar, TimeZoneRule{}),
            "time zone whose months costs are shown by, such as Europe/Berlin; "
            "default: they are not"};
}

}} // namespace bursar::scenarios
