#include "tools/model/held_out_error.hpp"

#include <limits>
#include <string>

#include <fmt/format.h>

namespace bursar { inline namespace tools {
namespace {

AnswerValue value_of(std::optional<double> error, std::string note) {
    return {"step_error",
            "+-",
            error.value_or(std::numeric_limits<double>::quiet_NaN()),
            "fraction",
            std::move(note)};
}

} // namespace

AnswerValue held_out_error(const StackProfile& profile, const Transformer& model) {
    const std::optional<double> error = step_error(profile, model);
    if (!error)
        return untested_error(profile);
    return value_of(
        error,
        fmt::format("mean absolute error of {} on measurements it did not see", profile.name));
}

AnswerValue untested_error(const StackProfile& profile) {
    return value_of(std::nullopt,
                    fmt::format("not known: {} was held against no measurement of such a network",
                                profile.name));
}

}} // namespace bursar::tools
