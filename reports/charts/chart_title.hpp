#pragma once

#include <string>

namespace bursar { inline namespace reports {

/// Titles of a chart in its page: `question` is the title, `answer` the main finding.
struct ChartTitle {
    std::string id; ///< unique in the page: letters, digits and "-"
    std::string question;
    std::string answer;
};

}} // namespace bursar::reports
