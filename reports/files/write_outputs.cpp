#include "reports/files/write_outputs.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "reports/files/write_files.hpp"

namespace bursar { inline namespace reports {

namespace {

bool is_csv(const Output& output) {
    return output.file.ends_with(".csv");
}

std::string name_packed(const Output& output, Packing packing) {
    return std::string{output.file} +
           std::string{packing_suffixes[static_cast<std::size_t>(packing)]};
}

Packing packing_of(const Output& output, const ChosenOutputs& chosen) {
    return is_csv(output) ? chosen.packing : Packing::none;
}

std::string name_of(const Output& output, const ChosenOutputs& chosen) {
    return name_packed(output, packing_of(output, chosen));
}

/// The names of the output with other kinds of packing.
std::vector<std::string> other_names_of(const Output& output, const ChosenOutputs& chosen) {
    std::vector<std::string> names = possible_names(output);
    std::erase(names, name_of(output, chosen));
    return names;
}

} // namespace

std::vector<std::string> possible_names(const Output& output) {
    std::vector<std::string> names{std::string{output.file}};
    if (is_csv(output))
        for (const Packing packing : {Packing::gzip, Packing::zstd})
            names.push_back(name_packed(output, packing));
    return names;
}

void write_outputs(const Result& result,
                   const std::filesystem::path& directory,
                   const OutputOptions& options,
                   const InputFiles& inputs,
                   const ChosenOutputs& chosen) {
    OutputOptions file_options = options;
    file_options.colour = Colour::never;
    std::vector<FileContent> contents;
    for (const Output* output : chosen.outputs) {
        const auto write = [&, output](TextSink& sink) {
            output->write(result, file_options, sink);
        };
        const Packing packing = packing_of(*output, chosen);
        contents.push_back(
            {.name = name_of(*output, chosen),
             .write = [write, packing](TextSink& sink) { write_packed(packing, sink, write); },
             .instead_of = other_names_of(*output, chosen)});
    }
    write_files(directory, contents, inputs);
}

std::vector<std::string> left_by_others(const std::filesystem::path& directory,
                                        const InputFiles& inputs,
                                        const ChosenOutputs& chosen) {
    std::vector<std::string> left;
    if (inputs.has(directory / find_output("result")->file))
        return left;
    for (const Output& output : outputs()) {
        if (std::ranges::find(chosen.outputs, &output) != chosen.outputs.end())
            continue;
        for (std::string& name : possible_names(output)) {
            std::error_code missing;
            const std::filesystem::path file = directory / name;
            if (std::filesystem::is_regular_file(file, missing) && !inputs.has(file))
                left.push_back(std::move(name));
        }
    }
    return left;
}

void check_places_of_outputs(const std::filesystem::path& directory,
                             const InputFiles& inputs,
                             const ChosenOutputs& chosen) {
    for (const Output* output : chosen.outputs) {
        check_place(directory, name_of(*output, chosen), inputs);
        for (const std::string& other : other_names_of(*output, chosen))
            inputs.refuse(directory / other);
    }
}

}} // namespace bursar::reports
