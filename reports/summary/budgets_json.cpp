#include "reports/summary/budgets_json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/bill/budgets.hpp"
#include "reports/bill/months.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

class BudgetWriter {
  public:
    BudgetWriter(const Result& result, JsonWriter& json) : result_{result}, json_{json} {}

    void months() {
        const std::vector<MonthShare> shares = month_shares(result_);
        std::vector<int128> cost;
        std::vector<int128> held;
        for (const MonthShare& share : shares) {
            cost.push_back(share.cost.count());
            held.push_back(share.held.count());
        }
        if (!shares.empty()) {
            const PrintedBill bill = print_bill(result_);
            cost = largest_remainder(cost, money_per_micro_usd, bill.paid_usd);
            held = largest_remainder(held, slot_ms_per_micro_gpu_hour, bill.paid_hours);
        }
        json_.key("months");
        json_.begin_array();
        for (std::size_t i = 0; i < shares.size(); ++i) {
            json_.begin_object();
            json_.key("month");
            if (shares[i].name == no_month_name)
                json_.null();
            else
                json_.string(shares[i].name);
            json_.micro("cost", cost[i]);
            json_.micro("gpu_hours", held[i]);
            json_.end_object();
        }
        json_.end_array();
    }

    void budgets() {
        json_.key("budgets");
        json_.begin_array();
        for (const BudgetOutcome& outcome : budget_outcomes(result_))
            budget(outcome);
        json_.end_array();
    }

  private:
    void budget(const BudgetOutcome& outcome) {
        const ResultBudget& budget = *outcome.budget;
        json_.begin_object();
        json_.string("name", budget.name);
        name_or_null("pool", budget.pool ? &result_.pools[*budget.pool].name : nullptr);
        name_or_null("tenant", budget.tenant ? &result_.tenants[*budget.tenant] : nullptr);
        json_.string("per", budget.is_monthly ? "month" : "run");
        money("limit", budget.limit);
        json_.integer("exceeded", outcome.is_exceeded() ? 1 : 0);
        json_.integer("seeds_exceeded",
                      result_.repeats         ? budget.seeds_exceeded
                      : outcome.is_exceeded() ? 1
                                              : 0);
        instant("burned_at", outcome.burned_at);
        json_.string("then", budget_action_names[static_cast<std::size_t>(budget.action)]);
        json_.key("stops");
        json_.begin_array();
        for (const BudgetStop& stop : budget.stops) {
            json_.begin_object();
            instant("begin", stop.begin);
            instant("end", stop.end);
            json_.integer("jobs_stopped", stop.num_stopped);
            json_.end_object();
        }
        json_.end_array();
        json_.key("periods");
        json_.begin_array();
        for (const BudgetPeriod& period : outcome.periods) {
            json_.begin_object();
            name_or_null("month", period.name.empty() ? nullptr : &period.name);
            money("spent", period.spent);
            instant("exceeded_at", period.exceeded_at);
            json_.end_object();
        }
        json_.end_array();
        json_.end_object();
    }

    void name_or_null(std::string_view key, const std::string* name) {
        json_.key(key);
        if (name == nullptr)
            json_.null();
        else
            json_.string(*name);
    }
    void money(std::string_view key, Money money) {
        json_.micro(key, divide_half_up(money.count(), money_per_micro_usd));
    }
    void instant(std::string_view key, std::optional<Duration> value) {
        json_.key(key);
        if (!value)
            return json_.null();
        StringSink text;
        InstantWriter writer{result_.zero_utc_ms};
        writer.put(text, *value);
        if (writer.dated())
            json_.string(text.text());
        else
            json_.micro(int128{value->count()} * 1000);
    }

    const Result& result_;
    JsonWriter& json_;
};

} // namespace

void write_budgets(const Result& result, JsonWriter& json) {
    BudgetWriter writer{result, json};
    writer.months();
    writer.budgets();
}

}} // namespace bursar::reports
