#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"
#include "sim/plan/plan_members.hpp"
#include "sim/plan_file/plan_file.hpp"

#include "policies/choice/policy_choice.hpp"

namespace bursar { inline namespace policies {

/// Conditions under which a stored plan and its choice of policies determine a run without its
/// scenario.
struct RunTerms {
    std::string version; ///< of the program that compiled it
    /// End of the drawn world or prices, if these must cover the whole run; absent: nothing is
    /// drawn, or the run ends at `until`.
    std::optional<Duration> drawn_until{};
    bool draws_world{};
    bool draws_prices{};
    /// What needs the scenario during the run, such as budgets with actions; empty: nothing.
    std::vector<std::string> beyond{};

    /// As in sim/plan/plan_members.hpp.
    template <AnyConst<RunTerms> Self, class Visit>
    friend void each_member(Self& self, const Visit& visit) {
        visit("version", self.version);
        visit("drawn_until", self.drawn_until);
        visit("draws_world", self.draws_world);
        visit("draws_prices", self.draws_prices);
        visit("beyond", self.beyond);
    }
};

/// Sections of a plan file in addition to those of its plan (sim/plan_file/README.md).
inline constexpr std::string_view policy_section = "policy";
inline constexpr std::string_view terms_section = "terms";

/// A run as a plan file stores it, without its scenario.
struct StoredRun {
    Plan plan;
    PolicyChoice choice;
    RunTerms terms;
};

/// version: of this program. Throws BadPlan if the file has no run, or one of another version, or
/// an invalid choice.
[[nodiscard]] StoredRun read_run(const PlanFile& file, std::string_view version);

}} // namespace bursar::policies
