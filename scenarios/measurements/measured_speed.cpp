#include "scenarios/measurements/measured_speed.hpp"

#include "models/training/job/flops.hpp"

#include "scenarios/measurements/stated_settings.hpp"
#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

enum class Executed : bool { no, yes };

FlopConvention convention_of(std::string_view words) {
    const bool full = contains(words, "non-causal") || contains(words, "noncausal") ||
                      contains(words, "not causal") || contains(words, "full square");
    if (contains(words, "causal") && !full)
        return FlopConvention::causal;
    const bool six_n = contains(words, "6n") || contains(words, "6*n") || contains(words, "6 n");
    const bool attention = contains(words, "l*h") || contains(words, "attention") ||
                           contains(words, "s^2") || contains(words, "s/6h");
    return six_n && !attention && !full ? FlopConvention::six_n : FlopConvention::full_square;
}

/// FLOP of one step over all GPUs.
double step_flops(const TrainingMeasurement& row, const TrainingJob& job, Executed executed) {
    const Transformer& model = job.model;
    const FlopConvention convention = convention_of(lower_case(row.flop_convention));
    const double counted = flops_per_token(model, job.sequence, convention).count();
    double again = 0;
    if (executed == Executed::yes) {
        const double logits = 6.0 * static_cast<double>(model.vocab * model.hidden);
        const double products = flops_per_token(model, job.sequence, FlopConvention::six_n).count();
        if (job.layout.recompute == Recompute::full)
            again = (counted - logits) / 3.0;
        else if (job.layout.recompute == Recompute::selective)
            again = (counted - products) / 3.0;
        else if (job.layout.recompute == Recompute::operators)
            again = recomputed_flops(model, job.sequence, Recompute::operators).count();
    }
    return (counted + again) * static_cast<double>(job.layout.global_batch() * job.sequence);
}

} // namespace

std::optional<MeasuredSpeed> measured_speed(const TrainingMeasurement& row,
                                            const TrainingJob& job,
                                            std::optional<FlopRate> peak) {
    const auto samples = static_cast<double>(job.layout.global_batch());
    const auto gpus = static_cast<double>(job.layout.gpus());
    if (row.step_s)
        return MeasuredSpeed{"step_s", *row.step_s, {}};
    if (row.samples_per_s)
        return MeasuredSpeed{"samples_per_s", *row.samples_per_s, samples};
    if (row.tokens_per_s_per_gpu)
        return MeasuredSpeed{"tokens_per_s_per_gpu",
                             *row.tokens_per_s_per_gpu,
                             samples * static_cast<double>(job.sequence) / gpus};
    const std::string words = lower_case(row.flop_convention);
    const bool hardware = contains(words, "hardware") || contains(words, "recompute counted");
    if (row.tflops_per_gpu) {
        const double flops = step_flops(row, job, hardware ? Executed::yes : Executed::no);
        return MeasuredSpeed{"tflops_per_gpu", *row.tflops_per_gpu, flops / gpus / 1e12};
    }
    const double rate = row.peak_tflops ? *row.peak_tflops * 1e12 : peak ? peak->count() : 0.0;
    if (rate <= 0)
        return std::nullopt;
    if (row.mfu_pct)
        return MeasuredSpeed{
            "mfu_pct", *row.mfu_pct, 100 * step_flops(row, job, Executed::no) / gpus / rate};
    if (row.hfu_pct)
        return MeasuredSpeed{
            "hfu_pct", *row.hfu_pct, 100 * step_flops(row, job, Executed::yes) / gpus / rate};
    return std::nullopt;
}

}} // namespace bursar::scenarios
