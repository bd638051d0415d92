#include "scenarios/traces/named_needs.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {
namespace {

template <class Act>
void for_each_name(std::string_view names, const Act& act) {
    for (std::size_t at = 0; at < names.size();) {
        const std::size_t bar = std::min(names.find('|', at), names.size());
        if (bar > at)
            act(names.substr(at, bar - at));
        at = bar + 1;
    }
}

} // namespace

void NamedNeeds::add(std::size_t row, std::string_view names, FieldPlace place) {
    if (!names.empty())
        entries_.push_back({row, std::string{names}, place});
}

FieldPlace NamedNeeds::place_on(std::uint64_t line) const {
    const auto line_of = [](const Entry& entry) { return entry.place.line; };
    const auto entry = std::ranges::lower_bound(entries_, line, {}, line_of);
    return entry != entries_.end() && entry->place.line == line ? entry->place
                                                                : FieldPlace{line, 0};
}

RowNeeds NamedNeeds::resolve(
    const Trace& trace,
    const std::function<void(std::size_t row, FieldPlace place, Finding problem)>& bad,
    std::uint64_t& num_absent) const {
    if (entries_.empty())
        return {};
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> rows_of; // of needed names
    for (const Entry& entry : entries_)
        for_each_name(entry.names, [&](std::string_view name) { rows_of[name]; });
    for (std::size_t row = 0; row < trace.name_end.size(); ++row)
        if (const auto found = rows_of.find(trace.name(row)); found != rows_of.end())
            found->second.push_back(static_cast<std::uint32_t>(row));
    RowNeeds needs;
    std::vector<std::uint32_t> rows;
    auto entry = entries_.begin();
    for (std::size_t row = 0; row < trace.size(); ++row) {
        rows.clear();
        if (entry != entries_.end() && entry->row == row) {
            for_each_name(entry->names, [&](std::string_view name) {
                const std::vector<std::uint32_t>& named = rows_of.at(name);
                if (std::ranges::find(named, row) != named.end())
                    bad(row, entry->place, mistake("a job cannot wait for itself"));
                else if (named.empty() && absent_.contains(std::string{name}))
                    ++num_absent;
                else if (named.empty())
                    bad(row, entry->place, mistake("no job is named " + in_quotes(name)));
                else
                    rows.insert(rows.end(), named.begin(), named.end());
            });
            std::ranges::sort(rows);
            rows.erase(std::ranges::unique(rows).begin(), rows.end());
            if (needs.needed.size() + rows.size() > RowNeeds::max_needed) {
                bad(row, entry->place, mistake("jobs wait for more than 50 million others in all"));
                rows.clear();
            }
            ++entry;
        }
        needs.add_row(rows);
    }
    return needs;
}

}} // namespace bursar::scenarios
