#include "reports/files/write_outputs.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "reports/files/gzip.hpp"
#include "reports/files/write_files.hpp"

namespace bursar::inline reports {

namespace {

bool is_packed(const Output& output, const ChosenOutputs& chosen) {
    return chosen.gzip && output.file.ends_with(".csv");
}

std::string packed_name(const Output& output) {
    return std::string{output.file} + ".gz";
}

std::string name_of(const Output& output, const ChosenOutputs& chosen) {
    return is_packed(output, chosen) ? packed_name(output) : std::string{output.file};
}

/// The file of it that the other choice of --gzip writes; empty: there is none.
std::string other_name_of(const Output& output, const ChosenOutputs& chosen) {
    if (!output.file.ends_with(".csv"))
        return {};
    return chosen.gzip ? std::string{output.file} : packed_name(output);
}

} // namespace

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
        const bool packed = is_packed(*output, chosen);
        contents.push_back(
            {.name = name_of(*output, chosen),
             .write = [write,
                       packed](TextSink& sink) { packed ? write_gzip(sink, write) : write(sink); },
             .instead_of = other_name_of(*output, chosen)});
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
        for (std::string name : {std::string{output.file}, packed_name(output)}) {
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
        if (const std::string other = other_name_of(*output, chosen); !other.empty())
            inputs.refuse(directory / other);
    }
}

} // namespace bursar::inline reports
