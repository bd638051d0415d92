#include "tools/model/validate_options.hpp"

#include <utility>

#include "scenarios/document/load_document.hpp"

namespace bursar { inline namespace tools {

void ValidateOptions::add_to(Command command) {
    command.add_option("DIR", folder_, "folder of measurement files, recognised by their headers")
        .required();
    command.add_option("--rows", rows_, "file for measured and predicted values of every row (CSV)")
        .type_name("FILE");
    command.add_option("--stacks", stacks_, "profiles in place of the built-in ones")
        .type_name("FILE");
}

ValidateQuestion ValidateOptions::question() const {
    InputFiles inputs;
    inputs.add(folder_);
    if (!stacks_.empty())
        inputs.add_all(document_facts(stacks_).files);
    return {folder_,
            std::move(inputs),
            rows_,
            stacks_.empty() ? builtin_stacks() : read_stacks(stacks_)};
}

}} // namespace bursar::tools
