#include "reports/compare/variant_folders.hpp"

#include <set>
#include <string_view>

#include <fmt/format.h>

#include "reports/compare/compare_formats.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t max_length = 100;

bool is_plain(char c) {
    constexpr std::string_view others = "._-";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
}

/// The label with one '-' in place of any other characters between such.
std::string plain(std::string_view label) {
    std::string out;
    for (const char c : label)
        if (is_plain(c))
            out += c;
        else if (!out.empty() && out.back() != '-')
            out += '-';
    const std::size_t first = out.find_first_not_of("-.");
    if (first == std::string::npos)
        return {};
    out = out.substr(first, max_length);
    out.resize(out.find_last_not_of("-.") + 1);
    return out;
}

std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return text;
}

} // namespace

std::vector<std::string> folder_names(std::span<const std::string> labels) {
    std::set<std::string> taken;
    for (const CompareOutput& output : compare_outputs())
        taken.emplace(output.file);
    std::vector<std::string> names;
    for (const std::string& label : labels) {
        const std::size_t number = names.size() + 1;
        const std::string name = plain(label);
        std::string unlike = name.empty() ? fmt::format("variant-{}", number) : name;
        while (!taken.insert(lower(unlike)).second)
            unlike += fmt::format("-{}", number);
        names.push_back(unlike);
    }
    return names;
}

}} // namespace bursar::reports
