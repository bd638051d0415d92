#include "models/energy/run_energy.hpp"

namespace bursar { inline namespace models {

RunEnergy run_energy(const RunPower& power, const RunTime& time) {
    const Power busy = power_at(power.gpu, power.utilization);
    RunEnergy energy;
    energy.gpu = busy * (1 - time.idle) + power.gpu.idle * time.idle;
    energy.total = facility_power(power.gpus, energy.gpu, power.site) * time.length;
    energy.useful = facility_power(power.gpus, busy, power.site) * time.length * time.useful;
    return energy;
}

}} // namespace bursar::models
