#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "models/calibration/measured_rows.hpp"
#include "models/training/job/flops.hpp"
#include "models/training/memory/memory.hpp"

#include "scenarios/catalog/step_errors.hpp"
#include "scenarios/measurements/measured_transformer.hpp"
#include "scenarios/measurements/stated_settings.hpp"
#include "scenarios/measurements/training_case.hpp"
#include "scenarios/measurements/training_measurement.hpp"
#include "scenarios/reader/plain_text.hpp"
#include "scenarios/validation/file_validators.hpp"
#include "scenarios/validation/training_rows.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// What a published figure of memory includes.
enum class MemoryCount : std::uint8_t {
    allocated, ///< tensors
    reserved,  ///< what the framework's allocator holds for them
    whole      ///< with the driver's context and communicators, as a monitor of the GPU shows
};

/// A row's memory figure: what it includes, and its unit.
struct MeasuredMemory {
    MemoryCount count{MemoryCount::whole};
    double unit{bytes_per_gb}; ///< bytes

    /// The model's value of the figure.
    [[nodiscard]] double of(const MemoryUse& use) const;
};

double MeasuredMemory::of(const MemoryUse& use) const {
    switch (count) {
    case MemoryCount::allocated:
        return use.allocated().count() / unit;
    case MemoryCount::reserved:
        return use.reserved().count() / unit;
    case MemoryCount::whole:
        break;
    }
    return use.total().count() / unit;
}

/// What a memory figure includes: by the row's notes ("max reserved GiB"), else as its stack prints
/// it. Else it is the whole GPU's, in GB, which is added to `assumptions`.
MeasuredMemory measured_memory(const TrainingMeasurement& row, Assumptions& assumptions) {
    const std::string notes = lower_case(row.notes);
    // torchtitan prints the most that was reserved, in GiB (components/metrics.py, read 2026-11).
    const bool torchtitan = contains(lower_case(row.framework), "torchtitan");
    MeasuredMemory memory;
    if (contains(notes, "gib") || torchtitan)
        memory.unit = bytes_per_gib;
    if (contains(notes, "reserved") || torchtitan)
        memory.count = MemoryCount::reserved;
    else if (contains(notes, "allocated"))
        memory.count = MemoryCount::allocated;
    else
        assumptions.emplace_back("memory: of the whole GPU");
    return memory;
}

/// The columns that hold a speed, the most direct first.
constexpr std::array<std::string_view, 6> speed_columns{
    "step_s", "samples_per_s", "tokens_per_s_per_gpu", "tflops_per_gpu", "mfu_pct", "hfu_pct"};

/// The measured figures of a row: the most direct speed, and memory.
std::vector<std::string> published_quantities(const MeasurementFile& file,
                                              const MeasurementRow& row) {
    std::vector<std::string> quantities;
    for (const std::string_view column : speed_columns) {
        if (!file.text(row, column).empty()) {
            quantities.emplace_back(column);
            break;
        }
    }
    if (!file.text(row, "mem_gb").empty())
        quantities.emplace_back("mem_gb");
    if (quantities.empty())
        quantities.emplace_back("none");
    return quantities;
}

/// Maps the row; returns the reason if it cannot.
std::string read_case(const MeasurementFile& file,
                      const MeasurementRow& row,
                      std::size_t position,
                      const KnownWorld& world,
                      std::optional<TrainingCase>& measured) {
    if (!row.problem.empty())
        return "the row is not well formed: " + row.problem;
    try {
        TrainingMeasurement read = training_measurement(file, row);
        read.position = position;
        TrainingCase mapped = training_case(read, world);
        if (!mapped.speed && !read.mem_gb)
            return "neither a speed nor memory is published";
        measured = std::move(mapped);
    } catch (const std::runtime_error& error) { // ModelError, UnknownFact
        return error.what();
    }
    return {};
}

/// The parts that all predictions of a row share.
ValidatedRow row_of(const TrainingCase& measured, std::string quantity, std::string profile) {
    ValidatedRow result;
    result.id = measured.row.id;
    result.source = measured.row.source;
    result.file = measured.row.file;
    result.framework = measured.row.framework;
    result.gpu = measured.row.gpu;
    result.quantity = std::move(quantity);
    result.profile = std::move(profile);
    result.assumptions = measured.assumptions;
    return result;
}

/// Of which a profile has seen the row; nullptr: none.
const FittedOn* fit_on(std::span<const FittedOn> fitted_on, const TrainingMeasurement& row) {
    const auto found = std::ranges::find_if(fitted_on, [&row](const FittedOn& seen) {
        // A row without an id may be any row of the source.
        const bool any = seen.rows.empty() || !row.has_own_id;
        return seen.source == row.source &&
               (any || std::ranges::any_of(seen.rows, [&row](const std::string& ids) {
                    return names_row(ids, row.id);
                }));
    });
    return found == fitted_on.end() ? nullptr : &*found;
}

/// Equal for layouts of one job.
std::string job_text(const TrainingCase& measured) {
    const TrainingJob& job = measured.job;
    return fmt::format("{}\n{}\n{} {} {} {} {} {} {}",
                       measured.row.source,
                       measured.row.framework,
                       parameters(job.model),
                       job.model.layers,
                       job.sequence,
                       name(job.precision),
                       measured.cluster.gpu.name,
                       job.layout.gpus(),
                       job.layout.global_batch());
}

void add_speed_row(const TrainingCase& measured, Validation& validation) {
    const StackProfile& profile = *measured.profile;
    const Tuning tuning = tuning_of(profile.fitted_on, measured.row);
    const std::string method =
        profile.name + (tuning == Tuning::held_out ? " (held-out rows)" : "");
    ValidatedRow blank = row_of(measured, measured.speed->quantity, method);
    blank.tuning = tuning;
    blank.measured = measured.speed->measured;
    add_row(validation, blank, [&](ValidatedRow& result) {
        result = speed_row(measured, profile, method, tuning);
    });
}

void add_memory_row(const TrainingCase& measured, Validation& validation) {
    const MemoryOverheads& overheads = measured.overheads;
    ValidatedRow blank = row_of(measured, "mem_gb", "memory model");
    blank.tuning = tuning_of(overheads.fitted_on, measured.row);
    blank.measured = *measured.row.mem_gb;
    add_row(validation, blank, [&](ValidatedRow& result) {
        const MeasuredMemory figure = measured_memory(measured.row, result.assumptions);
        result.predicted = figure.of(memory_use(measured.job, overheads));
    });
    if (blank.tuning == Tuning::unseen)
        return;
    // The reserve of the allocator is the one constant of memory that is fitted.
    blank.profile = "memory model without this source";
    blank.tuning = Tuning::unseen;
    blank.is_refit = true;
    MemoryOverheads without = overheads;
    without.fragmentation = MemoryOverheads{}.fragmentation;
    add_row(validation, blank, [&](ValidatedRow& result) {
        const MeasuredMemory figure = measured_memory(measured.row, result.assumptions);
        result.predicted = figure.of(memory_use(measured.job, without));
    });
}

/// Adds the row if it is of a network without layers; returns whether it did.
bool add_generic_row(const MeasurementFile& file,
                     const MeasurementRow& row,
                     const KnownWorld& world,
                     Validation& validation) {
    if (!is_generic_network(file.text(row, "arch"), file.text(row, "layers")))
        return false;
    ValidatedRow blank = blank_row(file, row);
    blank.quantity = published_quantities(file, row).front();
    add_row(validation, blank, [&](ValidatedRow& result) {
        const TrainingMeasurement read = training_measurement(file, row);
        const GenericCase measured = generic_case(read, world);
        result.quantity = measured.speed.quantity;
        result.profile = measured.job.network.name;
        result.measured = measured.speed.measured;
        result.assumptions = measured.assumptions;
        if (names_source(measured.origin, read.source))
            result.tuning = Tuning::tuned;
        const StepTime step = generic_step_time(measured.job, measured.cluster, *measured.profile);
        result.predicted = measured.speed.of(step.total());
    });
    return true;
}

/// Adds the shares of the dense peak that the rows reached, and the model's predictions of the same
/// rows.
void add_baseline(const std::vector<TrainingCase>& cases,
                  const std::vector<ValidatedRow>& rows,
                  Validation& validation) {
    std::vector<double> shares;
    std::vector<Prediction> model;
    for (const TrainingCase& measured : cases) {
        const auto row = std::ranges::find_if(rows, [&measured](const ValidatedRow& candidate) {
            return candidate.id == measured.row.id && candidate.quantity == "step_s";
        });
        if (row == rows.end() || !row->predicted || measured.part != MeasuredPart::step)
            continue;
        const TrainingJob& job = measured.job;
        const double flops =
            flops_per_token(job.model, job.sequence, FlopConvention::full_square).count() *
            static_cast<double>(job.layout.global_batch() * job.sequence);
        shares.push_back(flops / static_cast<double>(job.layout.gpus()) / row->measured /
                         dense_peak(measured.cluster.gpu, job.precision).count());
        model.push_back({*row->predicted, row->measured});
    }
    constexpr std::size_t min_rows = 20;
    if (shares.size() < min_rows)
        return;
    BaselineGuess best{cases.front().row.file, "step_s", 0, {}, error_statistics(model)};
    for (const double utilisation : shares) {
        std::vector<Prediction> guesses;
        for (const double share : shares)
            guesses.push_back({share / utilisation, 1.0});
        const ErrorStatistics error = error_statistics(guesses);
        if (best.utilisation == 0 || error.mape < best.guess.mape) {
            best.utilisation = utilisation;
            best.guess = error;
        }
    }
    validation.baselines.push_back(best);
}

} // namespace

Tuning tuning_of(std::span<const FittedOn> fitted_on, const TrainingMeasurement& row) {
    if (fit_on(fitted_on, row) != nullptr)
        return Tuning::tuned;
    const bool is_source_seen =
        std::ranges::find(fitted_on, row.source, &FittedOn::source) != fitted_on.end();
    return is_source_seen ? Tuning::held_out : Tuning::unseen;
}

ValidatedRow speed_row(const TrainingCase& measured,
                       const StackProfile& profile,
                       const std::string& method,
                       Tuning tuning) {
    ValidatedRow result = row_of(measured, measured.speed->quantity, method);
    result.tuning = tuning;
    result.measured = measured.speed->measured;
    const Seconds step = modelled_time(measured.job, measured.cluster, measured.part, profile);
    result.predicted = measured.speed->of(step);
    result.time_ratio = measured.speed->step() / step;
    result.asked = asked_step(
        *measured.profile, measured.is_stack_known, measured.job, measured.cluster.gpu.name);
    result.rivals = job_text(measured);
    result.layout = measured.job.layout;
    result.is_refit = &profile != measured.profile;
    const FittedOn* fit = fit_on(measured.profile->fitted_on, measured.row);
    result.measures_stack = fit != nullptr && fit->only.empty();
    return result;
}

void validate_training(const MeasurementFile& file,
                       const KnownWorld& world,
                       Validation& validation) {
    std::vector<TrainingCase> cases;
    std::map<std::string, std::size_t> positions; // rows of each series so far
    const std::size_t first = validation.rows.size();
    for (const MeasurementRow& row : file.rows) {
        const std::size_t position = positions[series_of(file, row)]++;
        if (add_generic_row(file, row, world, validation))
            continue;
        std::optional<TrainingCase> measured;
        const std::string why = read_case(file, row, position, world, measured);
        if (!measured) {
            for (const std::string& quantity : published_quantities(file, row)) {
                ValidatedRow unread = blank_row(file, row);
                unread.quantity = quantity;
                unread.why = why;
                validation.rows.push_back(unread);
            }
            continue;
        }
        if (measured->speed) {
            add_speed_row(*measured, validation);
            if (validation.rows.back().predicted)
                cases.push_back(*measured);
        }
        if (measured->row.mem_gb)
            add_memory_row(*measured, validation);
    }
    const std::vector<ValidatedRow> shipped{
        validation.rows.begin() + static_cast<std::ptrdiff_t>(first), validation.rows.end()};
    if (!cases.empty())
        add_baseline(cases, shipped, validation);
    for (const StackFamily& family : stack_families(cases))
        validate_refits(family, validation);
    validate_three_rows(cases, validation);
}

}} // namespace bursar::scenarios
