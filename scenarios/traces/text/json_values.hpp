#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/traces/text/text_row.hpp"

namespace bursar { inline namespace scenarios {

/// Receives the values of a JSON text one after the other.
class JsonValues {
  public:
    virtual ~JsonValues() = default;
    /// A string without quotes and escapes, or a number or word (true, false, null) as written.
    /// path: keys from the outermost one; an element of a list is "[]".
    virtual void
    value(std::span<const std::string> path, std::string_view text, FieldPlace place) = 0;
    /// The end of the object at `path`.
    virtual void end_of_object(std::span<const std::string> path) = 0;
};

/// Passes all of `text` to `values`. Throws ScenarioError with `file` and place if it is no JSON,
/// or is nested deeper than 500 levels.
void read_json_values(std::string_view text, const std::string& file, JsonValues& values);

}} // namespace bursar::scenarios
