#include "reports/result/saved_file.hpp"

#include <string>
#include <system_error>

#include <fmt/format.h>

#include "reports/errors/report_error.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Above the result of any run: what never ends must not fill the memory.
constexpr std::size_t max_saved_bytes = std::size_t{4} << 30;

/// What a file has to begin with; devices and packed files do not.
bool begins_as_json(char first) {
    return first == '{' || first == ' ' || first == '\n' || first == '\r' || first == '\t';
}

} // namespace

void read_saved_file(const std::filesystem::path& path, const SavedKind& kind, FileText& file) {
    const std::string name = terminal_text(path.string());
    const auto refuse = [&](const std::string& why) {
        throw BadResult{fmt::format("{}: is no {} ({}", name, kind.name, why)};
    };
    try {
        file.read(path, [&](std::string_view read) {
            if (!begins_as_json(read.front()))
                refuse(fmt::format("it does not begin as JSON); {}", kind.advice));
            if (read.size() > max_saved_bytes)
                refuse(fmt::format("more than {} GiB)", max_saved_bytes >> 30));
        });
    } catch (const std::system_error& error) {
        throw BadResult{fmt::format("{}: cannot be read: {}", name, error.code().message())};
    }
}

}} // namespace bursar::reports
