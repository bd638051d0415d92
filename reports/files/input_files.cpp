#include "reports/files/input_files.hpp"

#include <system_error>

#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {

namespace fs = std::filesystem;

void InputFiles::add_all(std::span<const std::string> files) {
    for (const std::string& file : files)
        add(file);
}

void InputFiles::add(const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        files_.push_back(path);
        return;
    }
    for (fs::directory_iterator entry{path, error}; !error && entry != fs::directory_iterator{};
         entry.increment(error))
        if (entry->is_regular_file(error))
            files_.push_back(entry->path());
}

const fs::path* InputFiles::find(const fs::path& place) const {
    for (const fs::path& file : files_) {
        std::error_code missing; // a missing file cannot be overwritten
        if (fs::is_regular_file(file, missing) && fs::equivalent(place, file, missing))
            return &file;
    }
    return nullptr;
}

bool InputFiles::has(const fs::path& place) const {
    return find(place) != nullptr;
}

void InputFiles::refuse(const fs::path& place) const {
    if (const fs::path* file = find(place); file != nullptr)
        throw OutputIsInput{terminal_text(place.string()) + ": is an input of this command (" +
                            terminal_text(file->string()) + "); choose another place"};
}

}} // namespace bursar::reports
