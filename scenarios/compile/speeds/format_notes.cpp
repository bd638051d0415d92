#include "scenarios/compile/speeds/format_notes.hpp"

#include <fmt/format.h>

namespace bursar { inline namespace scenarios {
namespace {

std::string text_of(const std::string& gpu, const PoolSpeed& speed) {
    const FormatChange& change = *speed.format;
    if (!change.gain)
        return fmt::format("jobs measured in {} run in {} on {}, and no faster or slower for it: "
                           "nobody measured by how much",
                           name(change.from),
                           name(change.to),
                           gpu);
    return fmt::format("jobs measured in {} run in {} on {}, {:.3g} times as fast (measured on {} "
                       "jobs, between {:.3g} and {:.3g})",
                       name(change.from),
                       name(change.to),
                       gpu,
                       speed.gain,
                       change.gain->measured,
                       change.gain->gain.low,
                       change.gain->gain.high);
}

} // namespace

void FormatNotes::add(const std::string& gpu, const PoolSpeed& speed) {
    some_unknown_ |= speed.is_format_unknown;
    if (speed.format)
        changes_.try_emplace({gpu, speed.format->from, speed.format->to}, speed);
}

std::vector<std::string> FormatNotes::assumed() const {
    std::vector<std::string> notes;
    if (some_unknown_)
        notes.emplace_back(
            "policy.precision changes no run times where nobody says in which format "
            "they were measured (`workload.precision`)");
    for (const auto& [key, speed] : changes_)
        notes.push_back(text_of(std::get<0>(key), speed));
    return notes;
}

}} // namespace bursar::scenarios
