#include "tools/bursar/model/validate_answer.hpp"

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/measurements/validation/validate_measurements.hpp"

#include "reports/validation/validation_report.hpp"

#include "tools/bursar/model/write_file.hpp"

namespace bursar::inline tools {

Validation validate_answer(const ValidateQuestion& question) {
    const Catalogue gpus = builtin_catalogue();
    Validation validation =
        validate_measurements(question.folder, {gpus, builtin_architectures(), question.stacks});
    if (!question.rows.empty()) {
        StringSink rows;
        write_validated_rows(validation, rows);
        write_file(question.rows, rows.text());
    }
    return validation;
}

} // namespace bursar::inline tools
