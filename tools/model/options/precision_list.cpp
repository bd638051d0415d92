#include "tools/model/options/precision_list.hpp"

#include <fmt/format.h>

#include "models/errors/model_error.hpp"

namespace bursar { inline namespace tools {

std::vector<Precision> precisions_of(const std::vector<std::string>& texts) {
    std::vector<Precision> found;
    for (const std::string& text : texts) {
        const auto precision = find_precision(text);
        if (!precision)
            throw ModelError{"--precisions",
                             fmt::format("unknown format \"{}\"", text),
                             fmt::format("choose of {}", fmt::join(precision_names, ", "))};
        found.push_back(*precision);
    }
    return found;
}

std::vector<std::string> all_precisions() {
    return {precision_names.begin(), precision_names.end()};
}

}} // namespace bursar::tools
