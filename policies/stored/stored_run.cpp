#include "policies/stored/stored_run.hpp"

#include <optional>
#include <string>

#include "sim/plan_file/plan_file.hpp"

#include "policies/choice/policy_conflict.hpp"
#include "policies/choice/policy_members.hpp"

namespace bursar { inline namespace policies {

StoredRun read_run(const PlanFile& file, std::string_view version) {
    StoredRun run;
    if (!file.read_record(terms_section, run.terms))
        throw BadPlan{
            "it holds a plan alone, or an older program compiled it; compile the scenario "
            "again"};
    if (run.terms.version != version)
        throw BadPlan{"it was compiled by bursar " + run.terms.version + ", and this is bursar " +
                      std::string{version} + "; compile the scenario again"};
    run.plan = read_plan(file);
    if (!file.read_record(policy_section, run.choice))
        throw BadPlan{"it holds a plan alone, without `policy`"};
    if (const std::optional<std::string> flaw = choice_flaw(run.choice))
        throw BadPlan{"its policies cannot be run: " + *flaw};
    return run;
}

}} // namespace bursar::policies
