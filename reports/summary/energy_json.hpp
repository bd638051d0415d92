#pragma once

#include <cstddef>

#include "reports/bill/energy.hpp"
#include "reports/result/result.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {

/// The members `energy` and `carbon` of summary.json: null where they were not asked for.
void write_energy(const PrintedEnergy& energy, JsonWriter& json);

/// The members of a pool of `fleet` that say what it draws; none where energy is not
/// modelled. pool: its number.
void write_pool_energy(const Result& result,
                       const PrintedEnergy& energy,
                       std::size_t pool,
                       JsonWriter& json);

}} // namespace bursar::reports
