#include "reports/files/write_outputs.hpp"

#include <string>
#include <vector>

#include "reports/files/write_files.hpp"
#include "reports/registry.hpp"

namespace bursar::inline reports {

void write_outputs(const Result& result,
                   const std::filesystem::path& directory,
                   const OutputOptions& options) {
    OutputOptions file_options = options;
    file_options.colour = Colour::never;
    std::vector<FileContent> contents;
    for (const Output& output : outputs())
        contents.push_back({std::string{output.file},
                            [&](TextSink& sink) { output.write(result, file_options, sink); }});
    write_files(directory, contents);
}

} // namespace bursar::inline reports
