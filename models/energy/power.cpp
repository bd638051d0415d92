#include "models/energy/power.hpp"

#include <cmath>

#include "models/errors/require.hpp"

namespace bursar { inline namespace models {

GpuPower power_of(const Gpu& gpu, double idle_share) {
    require_share("idle_share", idle_share);
    const Power full = tdp(gpu);
    return {full * idle_share, full};
}

double node_overhead_of(const Gpu& gpu, Power busy) {
    const double overhead = busy / (tdp(gpu) * training_power_share) - 1;
    require_not_negative("node_overhead", overhead);
    return overhead;
}

Power power_at(const GpuPower& gpu, double utilization) {
    require_not_negative("idle power", gpu.idle.count());
    require_positive("full power", gpu.full.count());
    if (gpu.idle > gpu.full)
        throw ModelError{"idle power", "is above the power at full load", ""};
    require_positive("power exponent", gpu.exponent);
    require_share("utilization", utilization);
    return gpu.idle + (gpu.full - gpu.idle) * std::pow(utilization, gpu.exponent);
}

Power facility_power(double gpus, Power each, const Site& site) {
    require_positive("gpus", gpus);
    require_not_negative("power", each.count());
    require_not_negative("node_overhead", site.node_overhead);
    if (!(site.pue >= 1) || !std::isfinite(site.pue))
        throw ModelError{"pue", "must be a finite number, one or above", ""};
    return each * gpus * (1 + site.node_overhead) * site.pue;
}

double energy_usd(Energy energy, double usd_per_kwh) {
    require_not_negative("energy price", usd_per_kwh);
    return energy.count() / joules_per_kwh * usd_per_kwh;
}

RunEnergy run_energy(const RunPower& power, const RunTime& time) {
    const Power busy = power_at(power.gpu, power.utilization);
    RunEnergy energy;
    energy.gpu = busy * (1 - time.idle) + power.gpu.idle * time.idle;
    energy.total = facility_power(power.gpus, energy.gpu, power.site) * time.length;
    energy.useful = facility_power(power.gpus, busy, power.site) * time.length * time.useful;
    return energy;
}

}} // namespace bursar::models
