#include <optional>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/scaling/compute_optimal.hpp"
#include "models/scaling/data_constrained.hpp"
#include "models/scaling/power_law.hpp"

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/validation/file_validators.hpp"

namespace bursar { inline namespace scenarios {
namespace {

double needed(const MeasurementFile& file, const MeasurementRow& row, std::string_view column) {
    const std::optional<double> value = file.positive(row, column);
    if (!value)
        throw ModelError{std::string{column}, "is not published", ""};
    return *value;
}

/// The allocation of the approach that a table numbers 1 to 3 (Hoffmann 2022) or names.
Allocation allocation_of(std::string_view approach, Flops budget, ValidatedRow& result) {
    const std::string id =
        approach.size() == 1 ? "hoffmann_a" + std::string{approach} : std::string{approach};
    if (const LossSurface* surface = find_loss_surface(id)) {
        result.profile = surface->id;
        return compute_optimal(*surface, budget);
    }
    const PowerLaw* law = find_power_law(id);
    if (law == nullptr)
        throw ModelError{"approach", in_quotes(approach) + " is not a published allocation", ""};
    result.profile = law->id;
    result.tuning = Tuning::tuned; // its factor was fitted to this table (FORMULAS 1.2)
    return allocate(*law, budget);
}

constexpr double one_epoch = 1.05; ///< rounded sizes of runs that see their data once
constexpr double oversized = 10;   ///< times the optimal parameters for the unique tokens

/// The runs among which errors of repeated data are alike.
std::string repetition(const LossSurface& surface, const Allocation& run, Tokens unique) {
    const double epochs = run.tokens / unique;
    if (epochs <= one_epoch)
        return "1 epoch";
    return fmt::format("{} {:.0f} epochs, N {} {:.0f} N_opt",
                       epochs <= max_epochs_fitted ? "<=" : ">",
                       max_epochs_fitted,
                       run.params <= optimal_params(surface, unique) * oversized ? "<=" : ">",
                       oversized);
}

} // namespace

void validate_allocations(const MeasurementFile& file, const KnownWorld&, Validation& validation) {
    for (const MeasurementRow& row : file.rows) {
        ValidatedRow blank = blank_row(file, row);
        blank.framework = file.text(row, "source");
        blank.quantity = "params";
        blank.profile = "compute-optimal allocation";
        add_row(validation, blank, [&](ValidatedRow& result) {
            if (!row.problem.empty())
                throw ModelError{"row", row.problem, ""};
            result.measured = needed(file, row, "params");
            // Printed budgets may be wrong by a power of ten; 6 N D is the run's cost.
            const std::optional<double> tokens = file.positive(row, "tokens");
            const Flops budget = tokens
                                     ? training_flops(Parameters{result.measured}, Tokens{*tokens})
                                     : Flops{needed(file, row, "flops")};
            result.predicted =
                allocation_of(file.text(row, "approach"), budget, result).params.count();
        });
    }
}

void validate_losses(const MeasurementFile& file, const KnownWorld&, Validation& validation) {
    const LossSurface& surface = default_loss_surface();
    for (const MeasurementRow& row : file.rows) {
        ValidatedRow blank = blank_row(file, row);
        blank.framework = file.text(row, "source_ref");
        blank.quantity = "loss";
        blank.profile = surface.id;
        const std::string origin{file.text(row, "source_ref")};
        if (origin.find("analyzing-chinchilla") != std::string::npos)
            blank.tuning = Tuning::tuned; // Besiroglu 2024 fitted on these runs
        add_row(validation, blank, [&](ValidatedRow& result) {
            if (!row.problem.empty())
                throw ModelError{"row", row.problem, ""};
            result.measured = needed(file, row, "loss");
            const Parameters params{needed(file, row, "params")};
            const std::optional<double> tokens = file.positive(row, "tokens");
            const Tokens seen = tokens
                                    ? Tokens{*tokens}
                                    : affordable_tokens(Flops{needed(file, row, "flops")}, params);
            result.predicted = loss(surface, params, seen);
        });
    }
}

void validate_repeated_data(const MeasurementFile& file,
                            const KnownWorld&,
                            Validation& validation) {
    const LossSurface& surface = default_loss_surface();
    for (const MeasurementRow& row : file.rows) {
        ValidatedRow blank = blank_row(file, row);
        blank.quantity = "loss";
        blank.profile = surface.id;
        add_row(validation, blank, [&](ValidatedRow& result) {
            if (!row.problem.empty())
                throw ModelError{"row", row.problem, ""};
            result.measured = needed(file, row, "loss");
            const Allocation run{Parameters{needed(file, row, "params")},
                                 Tokens{needed(file, row, "tokens")}};
            const Tokens unique{needed(file, row, "unique_tokens")};
            result.profile = surface.id + ", " + repetition(surface, run, unique);
            result.predicted = loss(surface, effective_allocation(surface, run, unique));
        });
    }
}

}} // namespace bursar::scenarios
