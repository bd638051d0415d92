#include "tools/bursar/model/held_out_error.hpp"

#include <limits>

#include <fmt/format.h>

#include "reports/text/plus_minus.hpp"

namespace bursar::inline tools {

AnswerValue held_out_error(const StackProfile& profile) {
    return {
        "step_error",
        "held-out error",
        profile.held_out_error.value_or(std::numeric_limits<double>::quiet_NaN()),
        "fraction",
        profile.held_out_error
            ? fmt::format("{} of step times, run times and their cost: mean absolute error of {} "
                          "on measurements it did not see",
                          plus_minus(profile.held_out_error),
                          profile.name)
            : fmt::format("nobody held {} against measurements", profile.name)};
}

} // namespace bursar::inline tools
