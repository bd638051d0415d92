#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// The content of a report, independent of its format: see reports/README.md.
namespace bursar { inline namespace reports {

/// A number, a count, yes or no, or a text as printed. A number that is not finite is not known:
/// null in JSON, empty in CSV, "-" for people. Texts are not escaped: each format does that.
using Cell = std::variant<double, std::int64_t, bool, std::string>;
inline constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// One named value.
///
/// `unit` is the unit of the number in JSON and CSV: an SI unit without prefix ("s", "B", "B/s",
/// "FLOP", "FLOP/s", "W", "J", "g"), "fraction", or any other ("tokens/s", "USD"). People see the
/// first two kinds scaled: ms, GB, TFLOP/s, %.
struct Fact {
    std::string key;   ///< its name in JSON and CSV, which never changes: "step_s"
    std::string label; ///< its name for people: "step time"
    Cell value;
    std::string unit; ///< empty: none
    std::string note; ///< formula or source of the constant, for people; may be empty
};

/// Named values under a title.
struct Facts {
    std::string key;
    std::string title;
    std::vector<Fact> values;
    /// The values are parts of one sum, in one unit: people see them in one multiple of it, with
    /// their shares.
    bool parts_of_sum{};
};

enum class Align : std::uint8_t {
    by_cells, ///< left where a cell is a text or yes or no
    left,
    right
};

/// A column of a table.
struct ReportColumn {
    /// A column of numbers that programs read, too. for_programs: in JSON and CSV alone, as it is
    /// too wide for people.
    ReportColumn(std::string key_, std::string label_, std::string unit_, bool for_programs_ = {})
        : key{std::move(key_)}, label{std::move(label_)}, unit{std::move(unit_)},
          for_programs{for_programs_} {}
    /// A column of texts as printed, for people alone.
    explicit(false) ReportColumn(std::string label_, Align align_ = Align::right)
        : label{std::move(label_)}, align{align_} {}

    std::string key;
    std::string label;
    std::string unit; ///< as Fact::unit
    Align align{Align::by_cells};
    bool for_programs{};
    std::string narrow{}; ///< the label over its figures in a terminal, '\n' between lines
    int omit{};           ///< order of omission where the terminal is too narrow; 0: never
    bool with_previous{}; ///< never parted from the column before it
};

enum class RowKind : std::uint8_t {
    plain,
    under, ///< a part of the row above
    sum    ///< of the rows above
};

struct ReportRow {
    ReportRow(std::initializer_list<Cell> cells_) : cells{cells_} {}
    explicit(false) ReportRow(std::vector<Cell> cells_, RowKind kind_ = RowKind::plain)
        : cells{std::move(cells_)}, kind{kind_} {}
    template <std::same_as<std::vector<std::string>> Texts>
    explicit(false) ReportRow(const Texts& texts, RowKind kind_ = RowKind::plain)
        : cells{texts.begin(), texts.end()}, kind{kind_} {}

    std::vector<Cell> cells; ///< as many as there are columns
    RowKind kind{RowKind::plain};
};

/// Rows of equal meaning: layouts, pools, variants.
struct ReportTable {
    ReportTable() = default;
    /// For people alone, and without a title.
    explicit(false)
        ReportTable(std::vector<ReportColumn> columns_, std::vector<ReportRow> rows_ = {})
        : columns{std::move(columns_)}, rows{std::move(rows_)} {}
    ReportTable(std::string key_,
                std::string title_,
                std::vector<ReportColumn> columns_,
                std::vector<ReportRow> rows_ = {},
                bool beside_ = {})
        : key{std::move(key_)}, title{std::move(title_)}, columns{std::move(columns_)},
          rows{std::move(rows_)}, beside{beside_} {}

    std::string key; ///< its name in JSON; empty: for people alone
    std::string title;
    std::vector<ReportColumn> columns;
    std::vector<ReportRow> rows;
    std::string note; ///< a sentence below it; may be empty
    bool beside{};    ///< said beside the answer, which is in the facts: CSV leaves it out
};

/// Titles of a chart in its page: `question` is the title, `answer` the main finding.
struct ChartTitle {
    std::string id; ///< unique in the page: letters, digits and "-"
    std::string question;
    std::string answer;
};

/// A chart with the figures behind it.
struct Figure {
    ChartTitle title;
    ReportTable table{};
    std::vector<std::string> notes{}; ///< what a reader must know to read it
    std::string svg{};
    std::string data{}; ///< chart_data of it; empty: the drawing is all
};

/// Sentences, a line or a list item each.
struct Lines {
    std::string title; ///< empty: they belong to what stands above them
    std::vector<std::string> lines;
};

/// Charts under a title.
struct FigureSection {
    std::string title;
    std::vector<Figure> figures;
    std::string note{}; ///< a sentence above them; may be empty
    bool is_small{};    ///< small multiples: several in a row
};

/// A report for people and programs. Keys of facts and tables are unique in a document, keys of
/// values in their facts.
struct Document {
    using Block = std::variant<Facts, ReportTable, Lines, FigureSection>;

    std::string command;  ///< "model step"; for programs
    std::string title;    ///< for people; empty: none
    std::string headline; ///< what the reader has to know before all else; empty: nothing
    bool is_refusal{};    ///< the headline says why what was asked for cannot be: exit code 2
    std::string missed;   ///< the condition that the answer misses: exit code 3; empty: none
    /// In the order in which people read them. The first table that is not `beside` is what CSV
    /// gives in place of the facts.
    std::vector<Block> blocks;
    std::vector<std::string> warnings; ///< possible but foolish; on stderr and in the JSON
    std::vector<std::string> sources;  ///< of formulas and constants
    bool has_goal{};                   ///< the first block is the answer to a goal

    void add(Block block) { blocks.push_back(std::move(block)); }
    void add_goal(Facts answer) {
        blocks.insert(blocks.begin(), std::move(answer));
        has_goal = true;
    }
    /// Adds a block before all others but the answer to a goal.
    void add_first(Block block) {
        blocks.insert(blocks.begin() + (has_goal ? 1 : 0), std::move(block));
    }

    /// The blocks of one kind. They live in the document, so a temporary one has none to give.
    template <class Kind>
    [[nodiscard]] std::vector<const Kind*> all() const& {
        std::vector<const Kind*> found;
        for (const Block& block : blocks)
            if (const auto* one = std::get_if<Kind>(&block))
                found.push_back(one);
        return found;
    }
    template <class Kind>
    std::vector<const Kind*> all() const&& = delete;
};

}} // namespace bursar::reports
