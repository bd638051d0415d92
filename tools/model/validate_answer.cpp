#include "tools/model/validate_answer.hpp"

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/validation/validate_measurements.hpp"

#include "reports/files/write_files.hpp"
#include "reports/validation/validation_report.hpp"

namespace bursar { inline namespace tools {

Validation validate_answer(const ValidateQuestion& question) {
    const Catalogue gpus = builtin_catalogue();
    Validation validation =
        validate_measurements(question.folder, {gpus, builtin_architectures(), question.stacks});
    if (!question.rows.empty()) {
        write_file(question.rows, question.inputs, [&](TextSink& sink) {
            write_validated_rows(validation, sink);
        });
    }
    return validation;
}

}} // namespace bursar::tools
