#include "tools/bursar/model/write_file.hpp"

#include <filesystem>

#include "reports/files/pending_file.hpp"

namespace bursar::inline tools {

void write_file(const std::string& path, std::string_view text) {
    const std::filesystem::path place{path};
    PendingFile file{place.has_parent_path() ? place.parent_path() : ".",
                     place.filename().string()};
    file.put(text);
    file.make_ready();
    file.put_in_place();
}

} // namespace bursar::inline tools
