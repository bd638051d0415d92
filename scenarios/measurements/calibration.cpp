#include "scenarios/measurements/calibration.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "models/calibration/fit_profile.hpp"
#include "models/calibration/measured_rows.hpp"
#include "models/errors/model_error.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// With fewer measured steps the test error is chance.
constexpr std::size_t min_rows = 3;
/// With fewer steps half of them cannot be held out.
constexpr std::size_t min_rows_to_halve = 20;
constexpr std::size_t min_constants = 3;
constexpr std::size_t max_constants = 14;
constexpr std::size_t rows_per_constant = 2;

bool is_wanted(std::string_view framework, const std::vector<std::string>& wanted) {
    return wanted.empty() || std::ranges::any_of(wanted, [framework](const std::string& text) {
               return framework.find(text) != std::string_view::npos;
           });
}

/// The rows of the file `path` that the model can predict.
void read_cases(const std::string& path,
                const CalibrationRequest& request,
                const KnownWorld& world,
                std::vector<TrainingCase>& cases,
                std::vector<UnusedRow>& unused) {
    const MeasurementFile file = read_measurement_file(path);
    if (file.kind != MeasurementKind::training)
        fail_input(file.name,
                   mistake("no training steps",
                           "the header needs gpu, gpus and layers, hidden, step_s or framework"));
    std::map<std::string, std::size_t> positions;
    for (const MeasurementRow& row : file.rows) {
        const std::size_t position = positions[series_of(file, row)]++;
        if (!is_wanted(file.text(row, "framework"), request.frameworks))
            continue;
        try {
            if (!row.problem.empty())
                throw ModelError{"row", row.problem, ""};
            TrainingMeasurement read = training_measurement(file, row);
            read.position = position;
            TrainingCase measured = training_case(read, world);
            if (!measured.speed)
                throw ModelError{"step_s", "no speed is published", ""};
            static_cast<void>(
                modelled_time(measured.job, measured.cluster, measured.part, *measured.profile));
            cases.push_back(std::move(measured));
        } catch (const std::runtime_error& error) { // ModelError, UnknownFact
            unused.push_back({file.id(row), error.what(), {path, row.line}});
        }
    }
}

/// Throws that too few rows are left, with the reason of each unused row at its line.
[[noreturn]] void fail_too_few(std::size_t usable,
                               const CalibrationRequest& request,
                               const std::vector<UnusedRow>& unused) {
    std::vector<Finding> findings;
    Finding& head = findings.emplace_back(
        mistake(fmt::format("{} usable measured steps are too few to calibrate and test", usable),
                {},
                fmt::format("give {} or more", min_rows)));
    head.place = request.files.front();
    for (const UnusedRow& row : unused) {
        findings.push_back(mistake("is not used", row.why));
        findings.back().place = row.place;
        findings.back().path = row.id;
    }
    throw ScenarioError{std::move(findings)};
}

const StackProfile& starting_profile(const CalibrationRequest& request,
                                     const TrainingCase& first,
                                     const KnownWorld& world) {
    if (request.start.empty())
        return *first.profile;
    const StackProfile* found = world.stacks.find(request.start);
    if (found == nullptr)
        fail_input("--stack", none_named("no profile is", request.start, world.stacks.names()));
    return *found;
}

std::vector<StepObservation> observations(const std::vector<TrainingCase>& cases,
                                          const std::vector<std::size_t>& rows) {
    std::vector<StepObservation> result;
    for (const std::size_t row : rows)
        result.push_back(cases[row].observation());
    return result;
}

/// Whether a fit with held-out rows uses this row. The first row of a series is an odd one.
bool is_fitted(const TrainingMeasurement& row, HoldOut hold_out) {
    return hold_out != HoldOut::even_rows || row.position % 2 == 0;
}

/// Sets the rows that the profile was fitted on, and the frameworks that it is for.
void name_origin(const std::vector<TrainingCase>& cases, HoldOut hold_out, StackProfile& profile) {
    profile.frameworks.clear();
    std::map<std::string, std::vector<std::string>> ids; // by source
    for (const TrainingCase& measured : cases) {
        const TrainingMeasurement& row = measured.row;
        if (!row.framework.empty() &&
            std::ranges::find(profile.frameworks, row.framework) == profile.frameworks.end())
            profile.frameworks.push_back(row.framework);
        if (is_fitted(row, hold_out))
            ids[row.source].push_back(row.id);
    }
    profile.fitted_on.clear();
    for (auto& [source, rows] : ids)
        profile.fitted_on.push_back({source, id_ranges(std::move(rows))});
}

std::string calibrated_name(const std::string& start) {
    constexpr std::string_view suffix = "-calibrated";
    return start.ends_with(suffix) ? start : start + std::string{suffix};
}

/// The rows to fit for the result and for its test.
struct FitPlan {
    Split whole;
    std::vector<Split> tests; ///< a fit does not use the rows that it scores
};

FitPlan plan_of(const std::vector<TrainingCase>& cases, HoldOut hold_out) {
    FitPlan plan;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const bool odd = cases[i].row.position % 2 == 0; // the first row is an odd one
        if (hold_out != HoldOut::even_rows || odd)
            plan.whole.fit.push_back(i);
        if (hold_out != HoldOut::even_rows || !odd)
            plan.whole.score.push_back(i);
    }
    if (hold_out == HoldOut::even_rows)
        plan.tests = {plan.whole};
    else
        plan.tests = k_folds(cases.size(), hold_out == HoldOut::folds ? 5 : cases.size());
    return plan;
}

/// The rows that `split` scores, by `profile`, which was fitted to the others.
void predict(const std::vector<TrainingCase>& cases,
             const Split& split,
             const StackProfile& profile,
             Calibration& result) {
    for (const std::size_t row : split.score) {
        const StepObservation seen = cases[row].observation();
        const auto by = [&seen](const StackProfile& one) {
            return modelled_time(seen.job, seen.cluster, seen.part, one);
        };
        result.left_out.push_back(
            {cases[row].row.id, seen.measured, by(result.start), by(profile)});
    }
}

ErrorStatistics errors_of(const std::vector<LeftOutRow>& rows, Seconds LeftOutRow::*by) {
    std::vector<Prediction> predictions;
    for (const LeftOutRow& row : rows)
        predictions.push_back({(row.*by).count(), row.measured.count()});
    return error_statistics(predictions);
}

} // namespace

std::vector<std::string> calibrated_constants(std::span<const StepObservation> seen,
                                              const StackProfile& start) {
    return decisive_constants(
        seen, start, std::clamp(seen.size() / rows_per_constant, min_constants, max_constants));
}

Calibration calibrate(const CalibrationRequest& request, const KnownWorld& world) {
    Calibration result;
    std::vector<TrainingCase> cases;
    for (const std::string& file : request.files)
        read_cases(file, request, world, cases, result.unused);
    if (cases.size() < min_rows)
        fail_too_few(cases.size(), request, result.unused);
    result.hold_out = cases.size() < min_rows_to_halve ? HoldOut::each_row : request.hold_out;
    FitPlan plan = plan_of(cases, result.hold_out);
    if (plan.whole.score.empty()) { // every series has one row
        result.hold_out = HoldOut::folds;
        plan = plan_of(cases, result.hold_out);
    }
    const std::vector<StepObservation> seen = observations(cases, plan.whole.fit);
    result.start = starting_profile(request, cases.front(), world);
    result.free = request.free;
    if (result.free.empty())
        result.free = calibrated_constants(seen, result.start);
    ProfileFit fit = fit_profile(seen, result.start, result.free);
    result.at_bound = fit.at_bound;
    result.profile = std::move(fit.profile);
    for (const Split& test : plan.tests)
        predict(cases,
                test,
                result.hold_out == HoldOut::even_rows
                    ? result.profile
                    : fit_profile(observations(cases, test.fit), result.start, result.free).profile,
                result);
    result.fitted = profile_errors(seen, result.profile);
    result.before = errors_of(result.left_out, &LeftOutRow::start);
    result.test = errors_of(result.left_out, &LeftOutRow::predicted);
    result.profile.name = calibrated_name(result.start.name);
    result.profile.held_out_error = result.test.mape;
    name_origin(cases, result.hold_out, result.profile);
    return result;
}

}} // namespace bursar::scenarios
