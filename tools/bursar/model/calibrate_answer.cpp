#include "tools/bursar/model/calibrate_answer.hpp"

#include <fmt/format.h>

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/catalog/catalogue.hpp"

#include "reports/files/write_file.hpp"

namespace bursar::inline tools {
namespace {

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

Answer answer_of(const Calibration& calibration) {
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
            fmt::format("fitted on {} rows of {} ({})", seen.rows, seen.source, seen.file));
    return answer;
}

} // namespace

Answer calibrate_answer(const CalibrateQuestion& question) {
    const Catalogue gpus = builtin_catalogue();
    Calibration calibration =
        calibrate(question.request, {gpus, builtin_architectures(), question.stacks});
    calibration.profile.source =
        fmt::format("bursar model calibrate from {}: {} unseen rows, MAPE {:.1f} %",
                    calibration.start.name,
                    calibration.test.n,
                    100 * calibration.test.mape);
    if (!question.out.empty())
        write_file(question.out, question.inputs, [&](TextSink& sink) {
            sink.put(stacks_yaml({{calibration.profile}}));
        });
    return answer_of(calibration);
}

} // namespace bursar::inline tools
