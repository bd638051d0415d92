#include "sim/plan_file/stored_plan.hpp"

#include <optional>
#include <string>
#include <string_view>

#include "sim/plan/check_plan.hpp"
#include "sim/plan/plan_members.hpp"

namespace bursar { inline namespace sim {
namespace {

constexpr std::string_view rest_name = "plan";

} // namespace

void add_plan(const Plan& plan, PlanFileWriter& file) {
    file.add_record(rest_name, PlanRest{plan});
    each_column(plan,
                [&](std::string_view name, const auto& column) { file.add_column(name, column); });
}

Plan read_plan(const PlanFile& file) {
    Plan plan;
    PlanRest rest{plan};
    if (!file.read_record(rest_name, rest))
        throw BadPlan{"it holds no plan"};
    each_column(plan, [&]<class T>(std::string_view name, std::vector<T>& column) {
        column = file.column<T>(name);
    });
    if (const std::optional<std::string> flaw = check_plan(plan))
        throw BadPlan{"its plan cannot be run: " + *flaw};
    return plan;
}

}} // namespace bursar::sim
