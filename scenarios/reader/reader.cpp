#include "scenarios/reader/reader.hpp"

#include <fmt/format.h>

#include "scenarios/errors/in_quotes.hpp"

namespace bursar { inline namespace scenarios {

std::optional<Reader> Reader::find(std::string_view key) const {
    const Node* value = node_.find(key);
    return value == nullptr ? std::nullopt : std::optional{member(key, *value)};
}

Reader Reader::member(std::string_view key, const Node& value) const {
    const std::string step = path_step(key);
    return {value, findings_, path_.empty() ? step : fmt::format("{}.{}", path_, step)};
}

Reader Reader::element(std::size_t index) const {
    const Node& item = node_.items[index];
    const std::string_view label = element_label(item);
    return {item,
            findings_,
            label.empty() ? fmt::format("{}[{}]", path_, index)
                          : fmt::format("{}.{}", path_, label)};
}

std::nullopt_t Reader::mistake(std::string problem, std::string why, std::string suggestion) const {
    findings_.add(node_, finding(std::move(problem), std::move(why), std::move(suggestion)));
    return std::nullopt;
}

void Reader::mistake_at(std::string_view key,
                        std::string problem,
                        std::string why,
                        std::string suggestion) const {
    const Node* value = node_.find(key);
    member(key, value == nullptr ? node_ : *value)
        .mistake(std::move(problem), std::move(why), std::move(suggestion));
}

std::nullopt_t Reader::expected(std::string_view what, std::string_view why) const {
    return mistake(fmt::format("expected {}, found {}", what, shown(node_)), std::string{why});
}

std::nullopt_t Reader::mistakes_in_file(const ScenarioError& error) const {
    const Finding& first = error.findings().front();
    if (first.place.line == 0 && first.path.empty())
        return mistake(first.problem + ' ' + in_quotes(first.place.file), first.why);
    findings_.add(node_.source ? node_.source->order : 0, error);
    return std::nullopt;
}

Finding Reader::finding(std::string problem, std::string why, std::string suggestion) const {
    return {node_.place(), path_, std::move(problem), std::move(why), std::move(suggestion)};
}

}} // namespace bursar::scenarios
