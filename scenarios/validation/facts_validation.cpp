#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "models/energy/carbon.hpp"
#include "models/energy/power.hpp"
#include "models/errors/model_error.hpp"
#include "models/reliability/checkpoint_cost.hpp"
#include "models/reliability/checkpoint_interval.hpp"
#include "models/reliability/checkpoint_size.hpp"
#include "models/reliability/expected_efficiency.hpp"
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

/// A full checkpoint of a model whose name has its size at the end: "BLOOM-176B", "Llama 3 405B".
ByteVolume checkpoint_of(std::string_view model) {
    const std::size_t before = model.find_last_of("- ");
    const std::optional<Figure> size =
        before == std::string_view::npos
            ? std::nullopt
            : figure_after(model.substr(before), model.substr(before, 1));
    if (!size || !size->unit.starts_with('B'))
        throw ModelError{"source", "the size of the model is not stated", ""};
    constexpr double bytes_per_parameter = 14; // bf16 and fp32 weights, two moments (FORMULAS 6.1)
    return checkpoint_size(size->value * 1e9, bytes_per_parameter);
}

/// The number that a text begins with: "16384 H100; ...", "124 nodes of 8 A100".
double first_number(std::string_view text) {
    const std::optional<Figure> figure = figure_after(text, "");
    if (!figure)
        throw ModelError{"context", "the size of the job is not stated", ""};
    return figure->value;
}

/// The share of useful time of a job that saves at the best interval, by the defaults of `bursar
/// model checkpoint`.
double useful_share(std::string_view model, double nodes) {
    const FailureCatalogue& known = builtin_failure_rates();
    const CheckpointedRun run{
        synchronous_checkpoint(checkpoint_of(model), known.writes.rate(nodes), Seconds{}),
        Seconds{60 * known.restart_of(nodes).minutes},
        mean_time_between_failures(known.all.front().rates, nodes)};
    return expected_shares(run, optimal_interval(run)).useful;
}

/// "projected MTTF at 16384 GPUs", in hours; the sizes are of nodes of 8 GPUs.
double failure_hours(std::string_view quantity, const FailureRates& rates) {
    const std::optional<Figure> gpus = figure_after(quantity, "MTTF at ");
    if (!gpus)
        throw ModelError{"quantity", "the number of GPUs is not stated", ""};
    return mean_time_between_failures(rates, gpus->value / catalogue_gpus_per_node).count() /
           seconds_per_hour;
}

/// What rows before told of a run.
struct KnownRun {
    double nodes{};     ///< of the job whose interruptions were counted
    double gpu_hours{}; ///< energy as its source counts it: GPU-hours times the TDP, not metered
    double kwh{};
};

/// "energy = GPU-h x 400 W TDP", in kWh, and "dynamic emissions at 57 g/kWh", in t.
std::optional<double> counted_energy(std::string_view quantity, KnownRun& run) {
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

/// Jobs by the default failure rates, which are of another source. Returns whether it is one.
bool predict_job(std::string_view quantity,
                 std::string_view source,
                 std::string_view context,
                 const KnownRun& run,
                 ValidatedRow& result) {
    const FailureCatalogue& known = builtin_failure_rates();
    const auto days_between = [&known](double nodes) {
        return mean_time_between_failures(known.all.front().rates, nodes).count() / seconds_per_day;
    };
    if (quantity == "unexpected mean time between interruptions" && run.nodes > 0)
        result.predicted = 24 * days_between(run.nodes);
    else if (quantity == "effective training time" && run.nodes > 0)
        result.predicted = 100 * useful_share(source, run.nodes);
    else if (quantity == "machine replacements")
        result.predicted = 1 / days_between(first_number(context));
    else
        return false;
    result.profile = "defaults of model checkpoint";
    result.tuning = Tuning::unseen;
    return true;
}

/// The models' prediction of a row. Throws ModelError for a figure that is an input of them.
void predict(std::string_view quantity,
             std::string_view source,
             std::string_view context,
             KnownRun& run,
             ValidatedRow& result) {
    if (predict_job(quantity, source, context, run, result))
        return;
    if (const auto counted = counted_energy(quantity, run); counted && *counted > 0) {
        result.profile = "GPU-hours x TDP";
        result.predicted = *counted;
    } else if (quantity.starts_with("optimal interval")) {
        result.predicted = interval_minutes(quantity);
    } else if (quantity == "full checkpoint size") {
        result.predicted = checkpoint_of(source).count() / 1e12;
    } else if (quantity == "synchronous save time") {
        result.profile = "write rates";
        result.tuning = Tuning::tuned; // the rate of a node is that of this job
        const ByteRate rate =
            builtin_failure_rates().writes.rate(first_number(context) / catalogue_gpus_per_node);
        result.predicted =
            synchronous_checkpoint(checkpoint_of(source), rate, Seconds{}).blocking.count();
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
    KnownRun run;
    for (const MeasurementRow& row : file.rows) {
        const std::string_view quantity = file.text(row, "quantity");
        const std::string_view source = file.text(row, "source");
        const std::string_view context = file.text(row, "context");
        if (quantity == "final run GPU-hours")
            run.gpu_hours = file.positive(row, "value").value_or(0);
        if (quantity.starts_with("job interruptions")) // "16384 H100; 47 planned, 419 unexpected"
            run.nodes = first_number(context) / catalogue_gpus_per_node;
        ValidatedRow blank = blank_row(file, row);
        blank.framework = file.text(row, "source");
        blank.quantity = file.text(row, "topic");
        blank.profile = "closed form";
        blank.tuning = Tuning::exact;
        blank.figure = fmt::format("{}: {}, {}", source, quantity, file.text(row, "unit"));
        add_row(validation, blank, [&](ValidatedRow& result) {
            if (!row.problem.empty())
                throw ModelError{"row", row.problem, ""};
            predict(quantity, source, context, run, result);
            const std::optional<double> value = file.positive(row, "value");
            if (!value)
                throw ModelError{"value", "is not published", ""};
            result.measured = *value;
        });
    }
}

}} // namespace bursar::scenarios
