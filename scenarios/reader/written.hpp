#pragma once

#include <string>

#include "scenarios/errors/scenario_error.hpp"

namespace bursar { inline namespace scenarios {

/// Where a key was written, for mistakes that show only later.
struct Written {
    Place place;
    std::string path;
};

}} // namespace bursar::scenarios
