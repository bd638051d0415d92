#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/measurements/calibration.hpp"

#include "reports/files/pending_file.hpp"

#include "tools/bursar/model/model_command.hpp"
#include "tools/bursar/model/model_options.hpp"

namespace bursar {
namespace {

struct CalibrateOptions {
    CalibrationRequest request;
    bool all_rows{};
    std::string stacks;
    std::string out;
    AnswerOptions shown;
};

void write_profile(const std::string& path, const StackProfile& profile) {
    const std::filesystem::path place{path};
    PendingFile file{place.has_parent_path() ? place.parent_path() : ".",
                     place.filename().string()};
    file.put(stacks_yaml({{profile}}));
    file.make_ready();
    file.put_in_place();
}

AnswerTable errors_of(const Calibration& calibration) {
    AnswerTable table{"errors",
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
    add("not seen, by the starting profile", calibration.before);
    add("fitted on", calibration.fitted);
    add("not seen", calibration.test);
    return table;
}

AnswerTable constants_of(const Calibration& calibration) {
    AnswerTable table{"constants",
                      "Fitted constants",
                      {{"constant", "constant", ""},
                       {"start", "start", ""},
                       {"fitted", "fitted", ""},
                       {"least", "least", ""},
                       {"most", "most", ""},
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

Answer answer_to(const Calibration& calibration) {
    Answer answer;
    answer.command = "model calibrate";
    answer.sections.push_back({"calibration",
                               "Calibration",
                               {{"start", "started from", calibration.start.name, "", ""},
                                {"unused",
                                 "rows not used",
                                 static_cast<std::int64_t>(calibration.unused.size()),
                                 "",
                                 ""}}});
    answer.tables = {errors_of(calibration), constants_of(calibration)};
    for (const std::string& name : calibration.at_bound)
        answer.warnings.push_back(name +
                                  " ended on its bound: the rows want more than physics allows");
    for (const UnusedRow& row : calibration.unused)
        answer.warnings.push_back(row.id + " was not used: " + row.why);
    for (const FittedOn& seen : calibration.profile.fitted_on)
        answer.sources.push_back(
            fmt::format("fitted on {} rows of {} ({})", seen.rows, seen.source, seen.file));
    return answer;
}

/// Throws for the first name in --free that is no constant of a profile.
void check_free(const std::vector<std::string>& free) {
    std::vector<std::string> names;
    for (const ProfileConstant& constant : profile_constants())
        names.emplace_back(constant.name);
    for (const std::string& name : free)
        if (find_profile_constant(name) == nullptr)
            fail_input({"--free"},
                       {},
                       mistake(fmt::format("no constant is called {}", in_quotes(name)),
                               {},
                               suggestion(name, names)));
}

void run(CalibrateOptions& options) {
    check_free(options.request.free);
    options.request.hold_out = options.all_rows ? HoldOut::folds : HoldOut::even_rows;
    const Catalogue gpus = builtin_catalogue();
    const Stacks stacks = options.stacks.empty() ? builtin_stacks() : read_stacks(options.stacks);
    Calibration calibration = calibrate(options.request, {gpus, builtin_architectures(), stacks});
    StackProfile& profile = calibration.profile;
    profile.source = fmt::format("bursar model calibrate from {}: {} unseen rows, MAPE {:.1f} %",
                                 calibration.start.name,
                                 calibration.test.n,
                                 100 * calibration.test.mape);
    if (!options.out.empty())
        write_profile(options.out, profile);
    options.shown.show(answer_to(calibration));
}

} // namespace

void add_model_calibrate(Command model) {
    Command command =
        model.add_subcommand("calibrate", "fit a software-stack profile to measured steps");
    const auto options = std::make_shared<CalibrateOptions>();
    CalibrationRequest& request = options->request;
    command.add_option("FILE", request.files, "measured training steps (CSV)").required();
    command.add_option("--stack", request.start, "profile to start from (the nearest)")
        .type_name("NAME");
    command.add_option("--stacks", options->stacks, "profiles of your own to start from")
        .type_name("FILE");
    command
        .add_option(
            "--framework", request.frameworks, "only rows whose framework holds one of these")
        .delimiter(',')
        .type_name("TEXT,...");
    command.add_option("--free", request.free, "constants to fit (those the rows tell about)")
        .delimiter(',')
        .type_name("NAME,...");
    command.add_flag("--all-rows",
                     options->all_rows,
                     "fit on all rows and test by five folds, not on odd rows and test on even");
    command.add_option("--out", options->out, "write the profile (YAML)").type_name("FILE");
    options->shown.add_to(command);
    command.callback([options] { run(*options); });
}

} // namespace bursar
