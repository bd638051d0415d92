#include <string>
#include <utility>

#include "models/calibration/validation.hpp"

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/catalog/stacks.hpp"
#include "scenarios/catalog/step_errors.hpp"
#include "scenarios/document/load_document.hpp"
#include "scenarios/validation/error_ranges.hpp"
#include "scenarios/validation/validate_measurements.hpp"

#include "reports/files/input_files.hpp"
#include "reports/files/write_files.hpp"
#include "reports/validation/validation_report.hpp"

#include "tools/model/job_options.hpp"
#include "tools/model/subcommand.hpp"

namespace bursar { inline namespace tools {
namespace {

struct ValidateOptions {
    std::string folder;
    std::string rows;
    std::string stacks;
    std::string errors;
};

OptionTable<ValidateOptions> validate_options() {
    using T = ValidateOptions;
    return option_table<T>(
               {{{"DIR", &T::folder, argument()},
                 "folder of measurement files, recognised by their headers"},
                {{"--rows", &T::rows, file_name()},
                 "file for measured and predicted values of every row (CSV)"},
                {{"--stacks", &T::stacks, file_name()}, "profiles in place of the built-in ones"},
                {{"--errors", &T::errors, file_name()},
                 "file for the 80 % ranges of step times, learnt anew from these rows, which this "
                 "answer then has (a build takes them from scenarios/catalog/step_errors.yaml)"}})
        .required("DIR");
}

/// Errors of the models. Writes the rows if --rows names a file. Throws as validate_measurements
/// does, and if the file cannot be written.
Validation validation_of(const ValidateOptions& options) {
    InputFiles inputs; // which --rows must not overwrite
    inputs.add(options.folder);
    if (!options.stacks.empty())
        inputs.add_all(document_facts(options.stacks).files);
    const Catalogue gpus = builtin_catalogue();
    Validation validation = validate_measurements(
        options.folder, {gpus, builtin_architectures(), stacks_of(options.stacks)});
    if (!options.errors.empty()) {
        const std::string learnt = step_errors_yaml(learn_step_errors(validation.rows));
        add_ranges(validation, read_step_errors_text(learnt, options.errors));
        write_file(options.errors, inputs, [&](TextSink& sink) { sink.put(learnt); });
    }
    if (!options.rows.empty())
        write_file(
            options.rows, inputs, [&](TextSink& sink) { write_validated_rows(validation, sink); });
    return validation;
}

} // namespace

void add_validate(Command model) {
    add_answer(model,
               "validate",
               "errors of the models against published measurements",
               validate_options(),
               validation_of);
}

}} // namespace bursar::tools
