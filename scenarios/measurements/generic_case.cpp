#include "scenarios/measurements/generic_case.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/measurements/measured_cluster.hpp"
#include "scenarios/measurements/nearest_profile.hpp"

namespace bursar { inline namespace scenarios {
namespace {

const Architecture& network_named(const std::string& model, const Architectures& known) {
    const Architecture* best = nullptr;
    const std::string wanted = plain_name(model);
    for (const Architecture& architecture : known.all) {
        if (!std::holds_alternative<GenericNetwork>(architecture) ||
            !wanted.starts_with(plain_name(name(architecture))))
            continue;
        if (best == nullptr || name(architecture).size() > name(*best).size())
            best = &architecture;
    }
    if (best == nullptr)
        throw ModelError{
            "model", in_quotes(model) + " is not a network of known cost per sample", ""};
    return *best;
}

MeasuredSpeed speed_of(const TrainingMeasurement& row, const GenericJob& job) {
    const auto samples = static_cast<double>(job.batch * job.passes * job.gpus);
    if (row.step_s)
        return {"step_s", *row.step_s, {}};
    if (row.samples_per_s)
        return {"samples_per_s", *row.samples_per_s, samples};
    throw ModelError{"samples_per_s", "neither step time nor samples per second is published", ""};
}

} // namespace

GenericCase generic_case(const TrainingMeasurement& row, const KnownWorld& world) {
    GenericCase result;
    GenericJob& job = result.job;
    const Architecture& network = network_named(row.model, world.architectures);
    job.network = std::get<GenericNetwork>(network);
    result.origin = world.architectures.origin(network).source;
    const Gpu gpu = gpu_of_row(row, world, result.assumptions);
    job.precision = stated_precision(row.precision, gpu, result.assumptions);
    job.gpus = row.gpus.value_or(row.data.value_or(1));
    job.passes = row.grad_accum.value_or(1);
    if (row.micro_batch) {
        job.batch = *row.micro_batch;
    } else if (row.global_batch) {
        job.batch = std::max<std::int64_t>(1, *row.global_batch / job.gpus / job.passes);
    } else {
        job.batch = 64;
        result.assumptions.emplace_back("micro_batch: 64");
    }
    result.cluster = measured_cluster(row, gpu, result.assumptions);
    result.profile = &nearest_profile(
        row.framework, TrainingJob{}, result.cluster.gpu, world.stacks, result.assumptions);
    result.speed = speed_of(row, job);
    return result;
}

}} // namespace bursar::scenarios
