#include "scenarios/document/findings.hpp"

#include <algorithm>
#include <tuple>

namespace bursar { inline namespace scenarios {

void Findings::add(const Node& where, Finding finding) {
    finding.place = where.place();
    entries_.push_back({where.source ? where.source->order : 0, std::move(finding)});
}

void Findings::add(std::uint32_t source_order, const ScenarioError& error) {
    for (const Finding& finding : error.findings())
        entries_.push_back({source_order, finding});
}

std::vector<Finding> Findings::sorted() const {
    std::vector<Entry> entries = entries_;
    std::ranges::stable_sort(entries, {}, [](const Entry& entry) {
        return std::tuple{entry.source_order, entry.finding.place.line, entry.finding.place.column};
    });
    std::vector<Finding> out;
    out.reserve(entries.size());
    for (Entry& entry : entries)
        out.push_back(std::move(entry.finding));
    return out;
}

void Findings::throw_if_any() const {
    if (!entries_.empty())
        throw ScenarioError{sorted()};
}

}} // namespace bursar::scenarios
