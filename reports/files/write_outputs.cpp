#include "reports/files/write_outputs.hpp"

#include <string>
#include <vector>

#include "reports/files/write_files.hpp"
#include "reports/registry.hpp"

namespace bursar::inline reports {

void write_outputs(const Result& result,
                   const std::filesystem::path& directory,
                   const OutputOptions& options,
                   const InputFiles& inputs) {
    OutputOptions file_options = options;
    file_options.colour = Colour::never;
    std::vector<FileContent> contents;
    for (const Output& output : outputs())
        contents.push_back({std::string{output.file},
                            [&](TextSink& sink) { output.write(result, file_options, sink); }});
    write_files(directory, contents, inputs);
}

void check_places_of_outputs(const std::filesystem::path& directory, const InputFiles& inputs) {
    for (const Output& output : outputs())
        check_place(directory, output.file, inputs);
}

} // namespace bursar::inline reports
