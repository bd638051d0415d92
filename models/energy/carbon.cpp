#include "models/energy/carbon.hpp"

#include <algorithm>
#include <cmath>

#include "models/errors/require.hpp"

namespace bursar { inline namespace models {

CarbonMass hourly_emissions(Power power, Seconds time, const std::vector<CarbonIntensity>& hours) {
    require_not_negative("power", power.count());
    require_not_negative("time", time.count());
    if (hours.empty())
        throw ModelError{"intensity", "is a series without hours", "give at least one"};
    double turn = 0; // g/kWh · hours, of the whole series
    for (const CarbonIntensity intensity : hours) {
        require_not_negative("intensity", intensity.count());
        turn += intensity.count();
    }
    const double total = time.count() / seconds_per_hour;
    const auto length = static_cast<double>(hours.size());
    const double turns = std::floor(total / length);
    double left = total - turns * length;
    double sum = turns * turn;
    for (std::size_t i = 0; i < hours.size() && left > 0; ++i, left -= 1)
        sum += std::min(left, 1.0) * hours[i].count();
    return CarbonMass{(power * Seconds{seconds_per_hour}).count() / joules_per_kwh * sum};
}

CarbonMass embodied_emissions(Seconds time, const EmbodiedCarbon& device) {
    require_not_negative("time", time.count());
    require_not_negative("embodied carbon", device.to_make.count());
    require_positive("lifetime", device.lifetime.count());
    require_share("busy_share", device.busy_share);
    require_positive("busy_share", device.busy_share);
    return device.to_make * (time / device.lifetime / device.busy_share);
}

}} // namespace bursar::models
