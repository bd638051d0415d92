#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/errors/model_error.hpp"

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/catalog/stacks.hpp"
#include "scenarios/document/load_document.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/measurements/calibration.hpp"
#include "scenarios/measurements/measured_gpu.hpp"
#include "scenarios/measurements/operator_check.hpp"

#include "reports/document/document.hpp"
#include "reports/files/input_files.hpp"
#include "reports/files/write_files.hpp"

#include "tools/model/job_options.hpp"
#include "tools/model/machine_options.hpp"
#include "tools/model/subcommand.hpp"

namespace bursar { inline namespace tools {
namespace {

struct CalibrateOptions {
    std::vector<std::string> files;
    std::string start;
    std::string stacks;
    std::vector<std::string> frameworks;
    std::vector<std::string> free;
    bool all_rows{};
    std::string out;
    std::string operators;
    std::string gpu;
    std::string catalogue;
};

OptionTable<CalibrateOptions> calibrate_options() {
    using T = CalibrateOptions;
    return option_table<T>(
               {{{"FILE", &T::files, argument()},
                 "measured training steps (CSV); needed without --operators"},
                {{"--stack", &T::start, name_among([] { return builtin_stacks().names(); })},
                 "profile to start from and to be pulled to (default: the nearest)"},
                {{"--stacks", &T::stacks, file_name()},
                 "profiles to start from, in place of the built-in ones"},
                {{"--framework", &T::frameworks, TextListRule{"TEXT,..."}},
                 "only rows whose framework contains one of these"},
                {{"--free", &T::free, TextListRule{"NAME,..."}},
                 "constants to fit (default: those that the rows determine)"},
                {"--all-rows",
                 &T::all_rows,
                 "fit on all rows and test by five folds (default: with 20 rows or more fit on the "
                 "odd ones and test on the even ones; with fewer leave each out in turn)"},
                {{"--out", &T::out, file_name()}, "file to write the profile to (YAML)"},
                {{"--operators", &T::operators, file_name()},
                 "measured kernels and collectives (CSV): how far formulas and lookups are off"},
                {{"--gpu", &T::gpu, name_among([] { return builtin_catalogue().names(); })},
                 "the GPU of the operators (default: the first one that the file names)"},
                {{"--catalog", &T::catalogue, file_name()},
                 "GPU catalogue of the operators in place of the built-in one"}})
        .needs("--gpu", "--operators")
        .needs("--catalog", "--operators")
        .excludes("--operators",
                  {"FILE", "--stack", "--stacks", "--framework", "--free", "--all-rows", "--out"});
}

/// Throws ScenarioError for the first name in --free that is no constant of a profile.
void check_free(const std::vector<std::string>& free) {
    std::vector<std::string> names;
    for (const ProfileConstant& constant : profile_constants())
        names.emplace_back(constant.name);
    for (const std::string& name : free)
        if (find_profile_constant(name) == nullptr)
            fail_input("--free", none_named("no constant is", name, names));
}

ReportTable errors_of(const Calibration& calibration) {
    ReportTable table{"errors",
                      "Errors of the step time",
                      {{"rows", "rows", ""},
                       {"n", "n", ""},
                       {"mape", "MAPE", "fraction"},
                       {"median", "median", "fraction"},
                       {"p90", "p90", "fraction"},
                       {"max", "max", "fraction"},
                       {"bias", "bias", "fraction"}},
                      {}};
    const auto add = [&table](const char* rows, const ErrorStatistics& error) {
        table.rows.push_back({std::string{rows},
                              static_cast<std::int64_t>(error.n),
                              error.mape,
                              error.median,
                              error.p90,
                              error.max,
                              error.bias});
    };
    add("left out, by the starting profile", calibration.before);
    add("fitted on", calibration.fitted);
    add("left out", calibration.test);
    return table;
}

/// Held-out rows with their predictions: all, or the worst of many.
ReportTable left_out_of(const Calibration& calibration) {
    constexpr std::size_t max_shown = 20;
    std::vector<LeftOutRow> rows = calibration.left_out;
    std::string title = "Rows left out, and what was predicted without them";
    if (rows.size() > max_shown) {
        title = fmt::format("The {} worst of {} rows left out, and what was predicted without them",
                            max_shown,
                            rows.size());
        std::ranges::stable_sort(
            rows, std::greater{}, [](const LeftOutRow& row) { return std::abs(row.error()); });
        rows.resize(max_shown);
    }
    ReportTable table{"left_out",
                      std::move(title),
                      {{"row", "row", ""},
                       {"measured_s", "measured", "s"},
                       {"start_s", "start", "s"},
                       {"predicted_s", "predicted", "s"},
                       {"error", "error", "fraction"}},
                      {}};
    for (const LeftOutRow& row : rows)
        table.rows.push_back(
            {row.id, row.measured.count(), row.start.count(), row.predicted.count(), row.error()});
    return table;
}

/// Constants that ended at a bound: "gemm_efficiency at its maximum, 1".
std::vector<std::string> bounds_reached(const Calibration& calibration) {
    std::vector<std::string> reached;
    for (const std::string& name : calibration.at_bound) {
        const ProfileConstant& constant = *find_profile_constant(name);
        const double value = constant.get(calibration.profile);
        const bool low = value - constant.min < constant.max - value;
        reached.push_back(fmt::format("{} at its {}, {:g}",
                                      name,
                                      low ? "minimum" : "maximum",
                                      low ? constant.min : constant.max));
    }
    return reached;
}

/// How rows were held out.
const char* test_of(HoldOut hold_out) {
    switch (hold_out) {
    case HoldOut::even_rows:
        return "fitted on the odd rows of each source, tested on the even ones";
    case HoldOut::folds:
        return "each fifth of the rows by a fit on the others";
    case HoldOut::each_row:
        return "each row by a fit on the others";
    }
    return "";
}

ReportTable constants_of(const Calibration& calibration) {
    ReportTable table{"constants",
                      "Fitted constants",
                      {{"constant", "constant", ""},
                       {"start", "start", ""},
                       {"fitted", "fitted", ""},
                       {"least", "min", ""},
                       {"most", "max", ""},
                       {"unit", "unit", ""}},
                      {}};
    for (const std::string& name : calibration.free) {
        const ProfileConstant& constant = *find_profile_constant(name);
        table.rows.push_back({name,
                              constant.get(calibration.start),
                              constant.get(calibration.profile),
                              constant.min,
                              constant.max,
                              std::string{constant.unit}});
    }
    return table;
}

Document answer_of(const Calibration& calibration) {
    Document answer;
    answer.command = "model calibrate";
    answer.add(Facts{"calibration",
                     "Calibration",
                     {{"start", "pulled to", calibration.start.name, "", ""},
                      {"name", "profile", calibration.profile.name, "", ""},
                      {"test", "test", std::string{test_of(calibration.hold_out)}, "", ""},
                      {"unused",
                       "rows not used",
                       static_cast<std::int64_t>(calibration.unused.size()),
                       "",
                       ""}}});
    answer.add(errors_of(calibration));
    answer.add(left_out_of(calibration));
    answer.add(constants_of(calibration));
    for (const std::string& reached : bounds_reached(calibration))
        answer.warnings.push_back(reached +
                                  ": the rows would need a value beyond its physical limit");
    for (const UnusedRow& row : calibration.unused) {
        if (answer.warnings.size() == max_shown_findings) {
            answer.warnings.push_back(fmt::format("{} rows were not used; these are the first",
                                                  calibration.unused.size()));
            break;
        }
        answer.warnings.push_back(Finding{row.place, row.id, "was not used", row.why, {}}.text());
    }
    for (const FittedOn& seen : calibration.profile.fitted_on)
        answer.sources.push_back(
            fmt::format("fitted on rows of {} ({})", seen.source, fmt::join(seen.rows, ", ")));
    return answer;
}

ReportTable checks_of(const std::vector<OperatorCheck>& checks) {
    ReportTable table{"operators",
                      "Errors of the times of operators",
                      {{"operator", "operator", ""},
                       {"n", "n", ""},
                       {"formula_mape", "formula, MAPE", "fraction"},
                       {"formula_bias", "bias", "fraction"},
                       {"near", "near others", ""},
                       {"look_up_mape", "looked up, MAPE", "fraction"},
                       {"look_up_max", "max", "fraction"}},
                      {}};
    for (const OperatorCheck& check : checks)
        table.rows.push_back({check.operation,
                              static_cast<std::int64_t>(check.formula.n),
                              check.formula.mape,
                              check.formula.bias,
                              static_cast<std::int64_t>(check.look_up.n),
                              check.look_up.mape,
                              check.look_up.max});
    return table;
}

/// What the operators say of the machine, in the words of a catalogue of GPUs and links.
Facts machine_of(const std::vector<OperatorCheck>& checks, const Gpu& gpu) {
    Facts facts{"machine", "What the catalogue would hold of " + gpu.name, {}, false};
    for (const OperatorCheck& check : checks) {
        if (check.format) {
            const std::string format{name(*check.format)};
            facts.values.push_back(
                {"achievable_" + format,
                 "achievable " + format,
                 check.best.count(),
                 "FLOP/s",
                 fmt::format("now {:.4g} TFLOP/s",
                             achievable_peak(gpu, *check.format).count() / 1e12)});
        }
        if (check.link)
            facts.values.push_back({check.operation,
                                    check.operation,
                                    check.link->bandwidth.count(),
                                    "B/s",
                                    fmt::format("reached, {:.1f} us of latency, {:.1f} % off",
                                                check.link->latency.count() * 1e6,
                                                100 * check.link->mean_log_error)});
    }
    return facts;
}

/// The GPU of --gpu, else the first one of the file.
Gpu gpu_of_operators(const CalibrateOptions& options, const Catalogue& gpus) {
    if (!options.gpu.empty())
        return gpu_named(gpus, options.gpu, "--gpu");
    for (const std::string& written : gpus_of_operators(options.operators)) {
        Assumptions guesses;
        try {
            const Gpu found = measured_gpu(written, std::nullopt, gpus, guesses);
            return found;
        } catch (const ModelError&) { // not in the catalogue
            continue;
        }
    }
    fail_input(options.operators,
               mistake("names no GPU of the catalogue",
                       {},
                       "--gpu NAME, and --catalog FILE for one that is not in it"));
}

/// Errors of formulas and lookups on measured operators. Throws ScenarioError for a bad file, and
/// one without operators of the GPU.
Document operators_answer(const CalibrateOptions& options) {
    const Catalogue gpus =
        options.catalogue.empty() ? builtin_catalogue() : read_catalogue(options.catalogue);
    const Gpu gpu = gpu_of_operators(options, gpus);
    const OperatorTable table = read_operators(options.operators, gpu, gpus);
    if (table.rows == 0)
        fail_input(options.operators,
                   mistake("has no operator of " + gpu.name,
                           fmt::format("it has {}", fmt::join(table.others, ", "))));
    const std::vector<OperatorCheck> checks = check_operators(table, gpu);
    Document answer;
    answer.command = "model calibrate";
    answer.add(checks_of(checks));
    answer.add(machine_of(checks, gpu));
    answer.sources.push_back(source_text(table, options.operators));
    return answer;
}

/// Fits the profile, writes it if --out names a file, and reports its constants and errors. Throws
/// ScenarioError for unknown constants and bad files, and as calibrate does.
Document calibrate_answer(const CalibrateOptions& options) {
    if (!options.operators.empty())
        return operators_answer(options);
    if (options.files.empty())
        fail_input("FILE",
                   mistake("missing", "measured training steps", "or give --operators FILE"));
    check_free(options.free);
    const Stacks stacks = stacks_of(options.stacks);
    const Catalogue gpus = builtin_catalogue();
    CalibrationRequest request;
    request.files = options.files;
    request.start = options.start;
    request.frameworks = options.frameworks;
    request.free = options.free;
    request.hold_out = options.all_rows ? HoldOut::folds : HoldOut::even_rows;
    Calibration calibration = calibrate(request, {gpus, builtin_architectures(), stacks});
    calibration.profile.source =
        fmt::format("bursar model calibrate from {}: {} rows left out, mean absolute error {:.1f} "
                    "%; {}",
                    calibration.start.name,
                    calibration.test.n,
                    100 * calibration.test.mape,
                    calibration.at_bound.empty()
                        ? "no constant at a bound"
                        : fmt::format("{}", fmt::join(bounds_reached(calibration), "; ")));
    if (!options.out.empty()) {
        InputFiles inputs{options.files}; // which --out must not overwrite
        if (!options.stacks.empty())
            inputs.add_all(document_facts(options.stacks).files);
        write_file(options.out, inputs, [&](TextSink& sink) {
            sink.put(stacks_yaml({{calibration.profile}}));
        });
    }
    return answer_of(calibration);
}

} // namespace

void add_calibrate(Command model) {
    add_answer(model,
               "calibrate",
               "fit a software-stack profile to measured steps",
               calibrate_options(),
               calibrate_answer);
}

}} // namespace bursar::tools
