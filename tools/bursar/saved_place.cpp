#include "tools/bursar/saved_place.hpp"

#include <array>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/compare/saved_comparison.hpp"
#include "reports/errors/report_error.hpp"
#include "reports/text/escape.hpp"

#include "tools/sweep/sweep_store.hpp"

namespace bursar { inline namespace tools {
namespace {

namespace fs = std::filesystem;

struct KeptFile {
    Saved kind;
    std::string_view name;
};
constexpr std::array kept_files{KeptFile{Saved::run, "result.json"},
                                KeptFile{Saved::comparison, "comparison.json"},
                                KeptFile{Saved::sweep, store_name}};

SavedPlace place_in(const fs::path& folder) {
    std::vector<SavedPlace> found;
    std::vector<std::string_view> names;
    std::error_code error;
    for (const KeptFile& one : kept_files)
        if (fs::exists(folder / one.name, error)) {
            found.push_back({one.kind, folder / one.name});
            names.push_back(one.name);
        }
    if (found.size() == 1)
        return found.front();
    const std::string shown = terminal_text(folder.string());
    if (!found.empty())
        throw BadResult{fmt::format(
            "{}: has {}; name the file that is meant", shown, fmt::join(names, " and "))};
    if (fs::exists(folder / "compare.json", error))
        throw BadResult{fmt::format("{}: has a comparison without its comparison.json, which an "
                                    "older bursar did not keep; run `compare --out` again",
                                    shown)};
    throw BadResult{fmt::format("{}: has no result.json, comparison.json or {}, which `run`, "
                                "`compare` and `sweep --out` write",
                                shown,
                                store_name)};
}

/// Throws where another file of the folder is what it was made of: compare.csv, say.
void refuse_beside_saved(const fs::path& path) {
    std::error_code error;
    for (const KeptFile& one : kept_files)
        if (one.kind != Saved::run && fs::exists(path, error) &&
            fs::exists(path.parent_path() / one.name, error))
            throw BadResult{fmt::format("{}: is no saved result; the {} beside it is",
                                        terminal_text(path.string()),
                                        one.name)};
}

} // namespace

SavedPlace saved_place(const std::string& place) {
    const fs::path path{place};
    std::error_code error;
    if (fs::is_directory(path, error))
        return place_in(path);
    constexpr std::string_view database = "SQLite format 3"; // with what every such file begins
    std::array<char, 256> begin{};
    std::ifstream in;
    if (fs::is_regular_file(path, error)) // what is read of a pipe would be gone
        in.open(path, std::ios::binary);
    in.read(begin.data(), begin.size());
    const std::string_view text{begin.data(), static_cast<std::size_t>(in.gcount())};
    if (text.starts_with(database))
        return {Saved::sweep, path};
    if (text.find(fmt::format("\"{}\"", saved_comparison_kind)) != std::string_view::npos)
        return {Saved::comparison, path};
    if (text.find("\"bursar result\"") == std::string_view::npos)
        refuse_beside_saved(path);
    return {Saved::run, path};
}

}} // namespace bursar::tools
