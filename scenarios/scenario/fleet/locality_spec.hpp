#pragma once

#include <string>

#include "scenarios/reader/written.hpp"

namespace bursar { inline namespace scenarios {

/// What a class asks of the place of its gangs, and what it costs it to be spread out.
struct LocalitySpec {
    std::string require; ///< a level it may not spread beyond; empty: none
    std::string prefer;  ///< a level it is better off within; empty: none
    Written written_require;
    Written written_prefer;
};

/// Run time at a level over run time at the narrowest.
struct LevelSlowdown {
    std::string level;
    double factor{1}; ///< >= 1
    Written written;
};

}} // namespace bursar::scenarios
