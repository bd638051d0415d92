#include <optional>

#include "models/errors/model_error.hpp"
#include "models/scaling/compute_optimal.hpp"
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

}} // namespace bursar::scenarios
