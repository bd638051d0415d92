#include "tools/simulate/measured_time.hpp"

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"

#include "reports/text/instant.hpp"

namespace bursar { inline namespace tools {

void check_measured(const Scenario& scenario, Duration end) {
    if (scenario.measure_from == Duration{} || scenario.measure_from < end)
        return;
    fail_input(scenario.places.measure,
               "measure",
               mistake("nothing is measured",
                       fmt::format("it begins after {}, and the run ends after {}",
                                   span_text(scenario.measure_from),
                                   span_text(end)),
                       "begin earlier, or give `until`"));
}

}} // namespace bursar::tools
