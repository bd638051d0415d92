#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "scenarios/measurements/validation/validate_measurements.hpp"

#include "reports/answer/render.hpp"
#include "reports/files/pending_file.hpp"
#include "reports/validation/validation_report.hpp"

#include "tools/bursar/model/model_command.hpp"

namespace bursar {
namespace {

struct ValidateOptions {
    std::string directory;
    std::string rows;
    std::string stacks;
    AnswerFormat format{AnswerFormat::table};
};

void write_rows(const std::string& path, const Validation& validation) {
    const std::filesystem::path place{path};
    PendingFile file{place.has_parent_path() ? place.parent_path() : ".",
                     place.filename().string()};
    write_validated_rows(validation, file);
    file.make_ready();
    file.put_in_place();
}

void validate(const ValidateOptions& options) {
    const Catalogue gpus = builtin_catalogue();
    const Stacks stacks = options.stacks.empty() ? builtin_stacks() : read_stacks(options.stacks);
    const Validation validation =
        validate_measurements(options.directory, {gpus, builtin_architectures(), stacks});
    StringSink sink;
    switch (options.format) {
    case AnswerFormat::table:
        write_validation_table(validation, sink);
        break;
    case AnswerFormat::json:
        write_validation_json(validation, sink);
        break;
    case AnswerFormat::csv:
        write_validation_csv(validation, sink);
        break;
    }
    const std::string& text = sink.text();
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (!options.rows.empty())
        write_rows(options.rows, validation);
}

} // namespace

void add_model_validate(Command model) {
    Command command =
        model.add_subcommand("validate", "how wrong the models are against published measurements");
    const auto options = std::make_shared<ValidateOptions>();
    command.add_option("DIR", options->directory, "folder of measurement files; the header decides")
        .required();
    command.add_option("--rows", options->rows, "write measured and predicted of every row (CSV)")
        .type_name("FILE");
    command
        .add_option(
            "--stacks", options->stacks, "profiles of your own in place of the built-in ones")
        .type_name("FILE");
    command.add_choice<AnswerFormat>(
        "--format", options->format, answer_format_names, "what is printed on stdout (table)");
    command.callback([options] { validate(*options); });
}

} // namespace bursar
