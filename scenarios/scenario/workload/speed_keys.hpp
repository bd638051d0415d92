#pragma once

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The key of a class that says how fast its jobs run on other GPUs. catalogue: outlives it.
[[nodiscard]] Key<ClassSpec> speed_key(const Catalogue& catalogue);

/// The key of a class that says which measured throughputs its jobs have.
[[nodiscard]] Key<ClassSpec> job_type_key();

/// Speeds are of given run times; a model has its own. at: the class.
void check_speed(const Reader& at);

}} // namespace bursar::scenarios
