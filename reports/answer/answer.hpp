#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace bursar { inline namespace reports {

/// A number, a count, yes or no, or a text. A number that is not finite is one nobody knows: null
/// in JSON, empty in CSV, "-" for people.
using AnswerCell = std::variant<double, std::int64_t, bool, std::string>;

/// One thing an answer says.
///
/// `unit` is what JSON and CSV give the number in, as it stands: an SI unit without prefix ("s",
/// "B", "B/s", "FLOP", "FLOP/s", "W", "J", "g"), "fraction", or any other ("tokens/s", "USD"). The
/// table scales those of the first two kinds for people: ms, GB, TFLOP/s, %.
struct AnswerValue {
    std::string key;   ///< its name in JSON and CSV, which never changes: "step_s"
    std::string label; ///< its name for people: "step time"
    AnswerCell value;
    std::string unit; ///< empty: none
    std::string note; ///< formula or source of the constant, for people; may be empty
};

/// A column of a table.
struct AnswerColumn {
    std::string key;
    std::string label;
    std::string unit;    ///< as AnswerValue::unit
    bool for_programs{}; ///< in JSON and CSV alone: too wide for people, who find it elsewhere
};

/// Rows of equal meaning: layouts, sizes, candidates.
struct AnswerTable {
    std::string key;
    std::string title;
    std::vector<AnswerColumn> columns;
    std::vector<std::vector<AnswerCell>> rows; ///< each as long as `columns`
    bool beside{}; ///< said beside the answer, which is in the sections: CSV leaves it out
};

struct AnswerSection {
    std::string key;
    std::string title;
    std::vector<AnswerValue> values;
    /// The values are parts of one sum, in one unit: people see them in one multiple of it, with
    /// their shares.
    bool parts_of_sum{};
};

/// What a `bursar model` command found: shown as a table, JSON or CSV from this one description.
/// Keys of sections and tables are unique in an answer, keys of values in their section.
struct Answer {
    std::string command;  ///< "model step"
    std::string headline; ///< what the reader has to know before all else; empty: nothing
    bool is_refusal{};    ///< the headline says why what was asked for cannot be: exit code 2
    std::vector<AnswerSection> sections;
    /// The first that is not `beside` is the main one: what CSV gives in place of the sections.
    std::vector<AnswerTable> tables;
    bool tables_first{}; ///< the tables are what was asked for: people see them before the sections
    std::vector<std::string> warnings; ///< possible but foolish; on stderr and in the JSON
    std::vector<std::string> sources;  ///< of formulas and constants
};

}} // namespace bursar::reports
