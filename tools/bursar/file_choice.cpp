#include "tools/bursar/file_choice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

#include "reports/registry.hpp"

namespace bursar { inline namespace tools {
namespace {

std::vector<std::string> output_names() {
    std::vector<std::string> names;
    for (const Output& output : outputs())
        names.emplace_back(output.name);
    return names;
}

/// "prometheus, sreport": the formats that are written only where they are named.
std::string extra_names() {
    std::string names;
    for (const Output& output : outputs())
        if (output.is_extra)
            names += (names.empty() ? "" : ", ") + std::string{output.name};
    return names;
}

} // namespace

void FileChoice::add_to(Command command, const std::string& what) {
    command
        .add_list(
            "--files", files, what + ": table,csv,focus (default: all but " + extra_names() + ")")
        .type_name("F1,F2")
        .completes(output_names, NamesForm::list)
        .needs(command.option("--out"));
    Option compress = command.add_choice<Packing>(
        "--compress",
        packing,
        packing_names,
        "compress the CSV files of --out: jobs.csv.gz, or jobs.csv.zst");
    compress.needs(command.option("--out"));
    command.add_flag("--gzip", gzip, "short for --compress gzip")
        .needs(command.option("--out"))
        .excludes(compress);
}

ChosenOutputs FileChoice::chosen() const {
    const Packing how = gzip ? Packing::gzip : packing.value_or(Packing::none);
    if (files.empty())
        return {usual_outputs(), how};
    std::vector<const Output*> named;
    for (const std::string& name : files) {
        const Output* output = find_output(name);
        if (output == nullptr)
            throw UsageError{fmt::format(
                "--files: {} is no format; {}", in_quotes(name), suggestion(name, output_names()))};
        if (std::ranges::find(named, output) != named.end())
            throw UsageError{fmt::format("--files: {} comes twice", in_quotes(name))};
        named.push_back(output);
    }
    return {named, how};
}

}} // namespace bursar::tools
