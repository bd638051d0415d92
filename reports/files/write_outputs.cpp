#include "reports/files/write_outputs.hpp"

#include <string>
#include <vector>

#include "reports/files/write_files.hpp"

namespace bursar::inline reports {

void write_outputs(const Result& result,
                   const std::filesystem::path& directory,
                   const OutputOptions& options,
                   const InputFiles& inputs,
                   const std::vector<const Output*>& chosen) {
    OutputOptions file_options = options;
    file_options.colour = Colour::never;
    std::vector<FileContent> contents;
    for (const Output* output : chosen)
        contents.push_back({std::string{output->file}, [&, output](TextSink& sink) {
                                output->write(result, file_options, sink);
                            }});
    write_files(directory, contents, inputs);
}

void check_places_of_outputs(const std::filesystem::path& directory,
                             const InputFiles& inputs,
                             const std::vector<const Output*>& chosen) {
    for (const Output* output : chosen)
        check_place(directory, output->file, inputs);
}

} // namespace bursar::inline reports
