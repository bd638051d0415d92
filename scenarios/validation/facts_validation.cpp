#include <charconv>
#include <optional>

#include "models/energy/carbon.hpp"
#include "models/energy/power.hpp"
#include "models/errors/model_error.hpp"
#include "models/reliability/checkpoint_interval.hpp"
#include "models/reliability/checkpoint_size.hpp"
#include "models/reliability/interruption.hpp"

#include "scenarios/catalog/failure_rates.hpp"
#include "scenarios/validation/file_validators.hpp"

/// Files of single published figures. Most are inputs of the models; the kinds below can be
/// computed from their row.
namespace bursar { inline namespace scenarios {
namespace {

/// The number right after `prefix`, and what follows it.
struct Figure {
    double value{};
    std::string_view unit;
};
std::optional<Figure> figure_after(std::string_view text, std::string_view prefix) {
    const std::size_t at = text.find(prefix);
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view rest = text.substr(at + prefix.size());
    double value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc{})
        return std::nullopt;
    return Figure{value, rest.substr(static_cast<std::size_t>(end - rest.data()))};
}

std::optional<Seconds> time_after(std::string_view text, std::string_view prefix) {
    const std::optional<Figure> figure = figure_after(text, prefix);
    if (!figure)
        return std::nullopt;
    const std::string_view unit = figure->unit;
    const double scale = unit.starts_with("min") ? 60.0 : unit.starts_with("h") ? 3600.0 : 1.0;
    return Seconds{figure->value * scale};
}

/// "optimal interval M=24h delta=5min", in minutes.
double interval_minutes(std::string_view quantity) {
    const std::optional<Seconds> mtbf = time_after(quantity, "M=");
    const std::optional<Seconds> dump = time_after(quantity, "delta=");
    if (!mtbf || !dump)
        throw ModelError{"quantity", "M and delta are not stated", ""};
    return daly_interval(*dump, *mtbf).count() / 60.0;
}

/// A name with its size at the end, "BLOOM-176B", in TB.
double checkpoint_tb(std::string_view model) {
    const std::size_t dash = model.rfind('-');
    const std::optional<Figure> size =
        dash == std::string_view::npos ? std::nullopt : figure_after(model.substr(dash), "-");
    if (!size || !size->unit.starts_with('B'))
        throw ModelError{"source", "the size of the model is not stated", ""};
    constexpr double bytes_per_parameter = 14; // bf16 and fp32 weights, two moments (FORMULAS 6.1)
    return checkpoint_size(size->value * 1e9, bytes_per_parameter).count() / 1e12;
}

/// "projected MTTF at 16384 GPUs", in hours; the sizes are of nodes of 8 GPUs.
double failure_hours(std::string_view quantity, const FailureRates& rates) {
    const std::optional<Figure> gpus = figure_after(quantity, "MTTF at ");
    if (!gpus)
        throw ModelError{"quantity", "the number of GPUs is not stated", ""};
    constexpr double gpus_per_node = 8;
    return mean_time_between_failures(rates, gpus->value / gpus_per_node).count() /
           seconds_per_hour;
}

/// Energy of a run as its source counts it: GPU-hours times the TDP, not metered.
struct CountedEnergy {
    double gpu_hours{};
    double kwh{};
};

/// "energy = GPU-h x 400 W TDP", in kWh, and "dynamic emissions at 57 g/kWh", in t.
std::optional<double> counted_energy(std::string_view quantity, CountedEnergy& run) {
    if (const auto watts = figure_after(quantity, "energy = GPU-h x ")) {
        const Site gpus_alone{.node_overhead = 0, .pue = 1};
        const Energy energy = facility_power(1, Power{watts->value}, gpus_alone) *
                              Seconds{run.gpu_hours * seconds_per_hour};
        run.kwh = energy.count() / joules_per_kwh;
        return run.kwh;
    }
    if (const auto grams = figure_after(quantity, "dynamic emissions at "))
        return run.kwh * grams->value / grams_per_tonne;
    return std::nullopt;
}

/// The models' prediction of a row. Throws ModelError for a figure that is an input of them.
void predict(std::string_view quantity,
             std::string_view source,
             CountedEnergy& run,
             ValidatedRow& result) {
    if (const auto counted = counted_energy(quantity, run); counted && *counted > 0) {
        result.profile = "GPU-hours x TDP";
        result.predicted = *counted;
    } else if (quantity.starts_with("optimal interval")) {
        result.predicted = interval_minutes(quantity);
    } else if (quantity == "full checkpoint size") {
        result.predicted = checkpoint_tb(source);
    } else if (quantity.starts_with("projected MTTF at")) { // by nodes alone, as the source
                                                            // projected it
        result.predicted = failure_hours(quantity, builtin_failure_rates().find("rsc-1")->rates);
    } else if (quantity.starts_with("measured MTTF at")) {
        result.profile = "failure rates";
        result.tuning = Tuning::tuned;
        result.predicted = failure_hours(quantity, builtin_failure_rates().find("fitted")->rates);
    } else {
        throw ModelError{"quantity", "a single fact that models take as input", ""};
    }
}

} // namespace

void validate_facts(const MeasurementFile& file, const KnownWorld&, Validation& validation) {
    CountedEnergy run;
    for (const MeasurementRow& row : file.rows) {
        if (file.text(row, "quantity") == "final run GPU-hours")
            run = {file.positive(row, "value").value_or(0), 0};
        ValidatedRow blank = blank_row(file, row);
        blank.framework = file.text(row, "source");
        blank.quantity = file.text(row, "topic");
        blank.profile = "closed form";
        blank.tuning = Tuning::exact;
        add_row(validation, blank, [&](ValidatedRow& result) {
            if (!row.problem.empty())
                throw ModelError{"row", row.problem, ""};
            predict(file.text(row, "quantity"), file.text(row, "source"), run, result);
            const std::optional<double> value = file.positive(row, "value");
            if (!value)
                throw ModelError{"value", "is not published", ""};
            result.measured = *value;
        });
    }
}

}} // namespace bursar::scenarios
