#include "tools/bursar/variant_files.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "reports/compare/variant_folders.hpp"
#include "reports/errors/report_error.hpp"
#include "reports/files/leftovers.hpp"
#include "reports/files/write_outputs.hpp"
#include "reports/registry.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace tools {
namespace {

namespace fs = std::filesystem;

/// What is in a folder, by name; nothing where there is none, or it may not be read.
std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry{folder, error}; !error && entry != fs::directory_iterator{};
         entry.increment(error))
        names.push_back(entry->path().filename().string());
    std::ranges::sort(names);
    return names;
}

/// Whether an output of a run has that name, or had it before it took its place.
bool is_of_output(const std::string& file) {
    return std::ranges::any_of(outputs(), [&](const Output& output) {
        return std::ranges::any_of(possible_names(output), [&](const std::string& name) {
            return file == name || is_temporary_name(file, name);
        });
    });
}

/// Whether it is a folder that has an output of a run.
bool is_of_run(const fs::path& folder) {
    return std::ranges::any_of(names_in(folder), is_of_output);
}

[[noreturn]] void refuse(const fs::path& folder, const std::string& problem) {
    throw ReportError{
        fmt::format("{}: {}; give a folder of its own", terminal_text(folder.string()), problem)};
}

} // namespace

VariantFiles::VariantFiles(fs::path directory,
                           const std::vector<std::string>& labels,
                           ChosenOutputs chosen)
    : directory_{std::move(directory)}, names_{folder_names(labels)}, chosen_{std::move(chosen)} {}

void VariantFiles::check(const InputFiles& inputs) const {
    for (const std::string& other : names_in(directory_)) {
        if (std::ranges::find(names_, other) == names_.end() && is_of_run(directory_ / other))
            refuse(directory_,
                   fmt::format("has the folder of a run that is not compared, {}",
                               terminal_text(other)));
    }
    for (const std::string& name : names_) {
        const fs::path folder = directory_ / name;
        check_places_of_outputs(folder, inputs, chosen_);
        for (const std::string& file : names_in(folder))
            if (!is_of_output(file))
                refuse(folder,
                       fmt::format("has {}, which is no output of a run", terminal_text(file)));
    }
}

void VariantFiles::write(std::size_t variant, const Result& result, const InputFiles& inputs) {
    OutputOptions options;
    options.reproducible = true;
    if (!pending_)
        pending_.emplace(directory_);
    write_outputs(result, pending_->path_of(names_[variant]), options, inputs, chosen_);
}

void VariantFiles::put_in_places(const InputFiles& inputs) {
    check(inputs); // what is there may be of another time
    pending_->put_in_places(names_);
    pending_.reset();
}

}} // namespace bursar::tools
