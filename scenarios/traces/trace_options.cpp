#include "scenarios/traces/trace_options.hpp"

#include <utility>

namespace bursar { inline namespace scenarios {

void OptionPlaces::note(std::string option, Written where) {
    written_.emplace(std::move(option), std::move(where));
}

const Written* OptionPlaces::find(std::string_view option) const {
    auto found = written_.find(option);
    if (found == written_.end())
        found = written_.find(option.substr(0, option.find('.')));
    return found == written_.end() ? nullptr : &found->second;
}

Finding at_option(const TraceOptions& options, std::string_view option, Finding finding) {
    const Written* written = options.places.find(option);
    finding.place = written == nullptr ? Place{options.file} : written->place;
    finding.path = written == nullptr ? std::string{option} : written->path;
    return finding;
}

void fail_option(const TraceOptions& options, std::string_view option, Finding finding) {
    throw ScenarioError{at_option(options, option, std::move(finding))};
}

}} // namespace bursar::scenarios
