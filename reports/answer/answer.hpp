#pragma once

#include <string>
#include <variant>
#include <vector>

namespace bursar {

/// One thing an answer says. A number is printed in `unit` as it stands; `key` is its name in JSON
/// and CSV and never changes; `label` and `note` are for people.
struct AnswerValue {
    std::string key;   ///< "step_s"
    std::string label; ///< "step time"
    std::variant<double, std::int64_t, std::string> value;
    std::string unit; ///< "s"; empty: none
    std::string note; ///< formula or source of the constant; may be empty
};

/// Rows of equal meaning, as a table: layouts, sizes, candidates.
struct AnswerTable {
    std::string key;
    std::string title;
    std::vector<AnswerValue> columns; ///< key, label, unit; the value is not used
    std::vector<std::vector<std::variant<double, std::int64_t, std::string>>> rows;
};

struct AnswerSection {
    std::string key;
    std::string title;
    std::vector<AnswerValue> values;
};

/// What a `bursar model` command found: shown as a table, JSON or CSV from this one description.
struct Answer {
    std::string command; ///< "model step"
    std::vector<AnswerSection> sections;
    std::vector<AnswerTable> tables;
    std::vector<std::string> warnings; ///< possible but foolish; on stderr and in the JSON
    std::vector<std::string> sources;
};

} // namespace bursar
