#include "tools/model/calibrate_options.hpp"

#include <fmt/format.h>

#include "scenarios/catalog/stacks.hpp"
#include "scenarios/document/load_document.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar { inline namespace tools {
namespace {

/// Throws for the first name in --free that is no constant of a profile.
void check_free(const std::vector<std::string>& free) {
    std::vector<std::string> names;
    for (const ProfileConstant& constant : profile_constants())
        names.emplace_back(constant.name);
    for (const std::string& name : free)
        if (find_profile_constant(name) == nullptr)
            fail_input({"--free"},
                       {},
                       mistake(fmt::format("no constant is named {}", in_quotes(name)),
                               {},
                               suggestion(name, names)));
}

} // namespace

void CalibrateOptions::add_to(Command command) {
    command.add_option("FILE", request_.files, "measured training steps (CSV)").required();
    command
        .add_option("--stack",
                    request_.start,
                    "profile to start from and to be pulled to (default: the nearest)")
        .type_name("NAME")
        .completes([] { return builtin_stacks().names(); });
    command.add_option("--stacks", stacks_, "profiles to start from, in place of the built-in ones")
        .type_name("FILE");
    command
        .add_list(
            "--framework", request_.frameworks, "only rows whose framework contains one of these")
        .type_name("TEXT,...");
    command
        .add_list(
            "--free", request_.free, "constants to fit (default: those that the rows determine)")
        .type_name("NAME,...");
    command.add_flag(
        "--all-rows",
        all_rows_,
        "fit on all rows and test by five folds (default: of 20 rows or more fit on the odd "
        "ones and test on the even; of fewer leave each out in turn)");
    command.add_option("--out", out_, "file to write the profile to (YAML)").type_name("FILE");
}

CalibrateQuestion CalibrateOptions::question() const {
    check_free(request_.free);
    CalibrateQuestion question{request_, {}, InputFiles{request_.files}, out_};
    question.request.hold_out = all_rows_ ? HoldOut::folds : HoldOut::even_rows;
    question.stacks = stacks_.empty() ? builtin_stacks() : read_stacks(stacks_);
    if (!stacks_.empty())
        question.inputs.add_all(document_facts(stacks_).files);
    return question;
}

}} // namespace bursar::tools
