#include "tools/bursar/model/held_out_error.hpp"

#include <limits>
#include <string>

#include <fmt/format.h>

namespace bursar::inline tools {

AnswerValue held_out_error(const StackProfile& profile) {
    const std::string note =
        profile.held_out_error
            ? fmt::format("mean absolute error of {} on measurements it did not see", profile.name)
            : fmt::format("not known: {} was held against no measurement", profile.name);
    return {"step_error",
            "+-",
            profile.held_out_error.value_or(std::numeric_limits<double>::quiet_NaN()),
            "fraction",
            note};
}

} // namespace bursar::inline tools
