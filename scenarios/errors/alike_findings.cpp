#include "scenarios/errors/alike_findings.hpp"

#include <algorithm>
#include <utility>

#include <fmt/ranges.h>

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t max_lines_told = 3;

/// ", as on lines 4, 6, 8 and 21 more"; without lines ", and 24 more like it".
std::string of_others(const std::vector<std::uint64_t>& lines, std::uint64_t num_more) {
    if (num_more == 0)
        return {};
    if (lines.empty())
        return fmt::format(", and {} more like it", num_more);
    const std::uint64_t rest = num_more - lines.size();
    return fmt::format(", as on line{} {}{}",
                       lines.size() == 1 ? "" : "s",
                       fmt::join(lines, ", "),
                       rest == 0 ? "" : fmt::format(" and {} more", rest));
}

} // namespace

void AlikeFindings::add(Finding finding, const std::string& cause) {
    const auto known = std::ranges::find(groups_, cause, &Group::cause);
    if (known != groups_.end()) {
        ++known->num_more;
        // Drawn jobs have one place, the line that draws them.
        const bool is_elsewhere = finding.place.line != known->first.place.line;
        if (is_elsewhere && known->next_lines.size() < max_lines_told)
            known->next_lines.push_back(finding.place.line);
    } else if (groups_.size() == max_shown_findings) {
        ++num_unlisted_;
    } else {
        groups_.push_back({cause, std::move(finding), {}, 0});
    }
}

std::vector<Finding> AlikeFindings::shown() const {
    std::vector<Finding> findings;
    for (const Group& group : groups_) {
        findings.push_back(group.first);
        findings.back().problem += of_others(group.next_lines, group.num_more);
    }
    return findings;
}

}} // namespace bursar::scenarios
