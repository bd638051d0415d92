#include "scenarios/compile/training/training_length.hpp"

#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "models/convergence/critical_batch.hpp"
#include "models/errors/model_error.hpp"
#include "models/training/job/flops.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr double max_steps = 1e12;
constexpr std::int64_t max_samples = 1'000'000'000;

/// Mistakes of the loss are reported at the key `target_loss`.
double tokens_to_loss(const TrainingSpec& spec, double batch_tokens) {
    const Parameters params{parameters(std::get<Transformer>(*spec.model))};
    const double target = spec.goal->amount;
    try {
        return run_to_loss(default_loss_surface(), params, target, Tokens{batch_tokens})
            .tokens.count();
    } catch (const ModelError& error) {
        throw ModelError{"target_loss", error.problem(), error.remedy()};
    }
}

double steps(const TrainingSpec& spec, double samples, double sequence) {
    const double amount = spec.goal->amount;
    switch (spec.goal->kind) {
    case GoalKind::steps:
        return amount;
    case GoalKind::tokens:
        return amount / (samples * sequence);
    case GoalKind::epochs: {
        const auto seen = static_cast<double>(spec.dataset->count) * amount;
        return seen / (spec.dataset->in_tokens ? samples * sequence : samples);
    }
    case GoalKind::target_loss:
        return tokens_to_loss(spec, samples * sequence) / (samples * sequence);
    }
    return amount;
}

} // namespace

std::int64_t batch_samples(const TrainingSpec& spec, std::int64_t sequence) {
    assert(spec.batch && sequence > 0);
    const std::int64_t per_sample = spec.batch->in_tokens ? sequence : 1;
    const std::int64_t samples = spec.batch->count / per_sample;
    if (samples > max_samples)
        throw ModelError{"batch", fmt::format("{} samples a step", samples), "at most 1e9"};
    if (spec.batch->count % per_sample != 0) {
        throw ModelError{
            "batch",
            fmt::format("{} tokens are not a whole number of samples of {} tokens",
                        spec.batch->count,
                        sequence),
            fmt::format("{} samples are {} tokens", samples + 1, (samples + 1) * sequence)};
    }
    return samples;
}

std::int64_t training_steps(const TrainingSpec& spec, std::int64_t sequence) {
    assert(spec.goal);
    const double count = std::ceil(steps(
        spec, static_cast<double>(batch_samples(spec, sequence)), static_cast<double>(sequence)));
    if (!(count <= max_steps)) {
        throw ModelError{spec.goal->kind == GoalKind::target_loss ? "target_loss" : "batch",
                         fmt::format("{:.3g} steps", count),
                         "at most 1e12; a larger batch takes fewer"};
    }
    return static_cast<std::int64_t>(count);
}

}} // namespace bursar::scenarios
