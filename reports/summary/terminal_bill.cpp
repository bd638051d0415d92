#include <algorithm>
#include <array>

#include "reports/bill/bill_table.hpp"
#include "reports/bill/budgets.hpp"
#include "reports/bill/energy.hpp"
#include "reports/bill/fleet.hpp"
#include "reports/bill/purchases.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/summary/largest_drain.hpp"
#include "reports/summary/lost_work.hpp"
#include "reports/summary/repeat_lines.hpp"
#include "reports/summary/sentences.hpp"
#include "reports/summary/uncertainty.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/display_width.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/text_lines.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::string_view more_indent = "    ";
constexpr std::string_view gap = "     ";
constexpr std::size_t min_gap = 2;    ///< between columns
constexpr std::size_t min_label = 10; ///< columns of a label where there is no room at all

/// Widths of the bill's columns, each with the blanks before it.
struct Widths {
    std::size_t label{20}, hours{12}, usd{15}, share{9};

    [[nodiscard]] std::size_t sum() const { return indent.size() + label + hours + usd + share; }
};

std::string percent(int128 permille) {
    return grouped_text(permille, 1) + " %";
}

/// The words of `text`; a "%" goes with the figure before it.
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        if (word.starts_with('%') && !words.empty())
            words.back() += " " + std::string{word};
        else
            words.emplace_back(word);
        begin = end + 1;
    }
    return words;
}

class TableWriter {
  public:
    TableWriter(const Result& result, const OutputOptions& options, TextSink& sink)
        : result_{result}, options_{options}, sink_{sink}, table_{bill_table(result, options)} {
        fit_columns();
    }

    void write() {
        title();
        bill();
        facts();
        if (result_.repeats)
            repeats(*result_.repeats);
        wrapped(indent, run_sentence(result_, options_));
    }

  private:
    /// Columns as wide as what they hold; where all of them are too wide for the terminal, first
    /// the blanks between them go, then the ends of labels.
    void fit_columns() {
        constexpr std::size_t max_label = 40;
        Widths needed{1, display_width("GPU-hours"), display_width("USD"), display_width("share")};
        const auto widen = [&](const BillRow& row) {
            needed.label = std::max(needed.label, display_width(label_of(row)) + 1);
            needed.hours = std::max(needed.hours, grouped_text(row.hours_tenths, 1).size());
            needed.usd = std::max(needed.usd, grouped_text(row.usd_cents, 2).size());
            needed.share = std::max(needed.share, percent(row.share_permille).size());
        };
        for (const BillRow& row : table_.rows)
            widen(row);
        for (const BillRow& row : table_.other_costs)
            widen(row);
        widen(table_.paid);
        needed.usd = std::max(needed.usd, grouped_text(table_.total_cents, 2).size());
        if (const auto mean = repeated_total(result_)) {
            needed.label = std::max(needed.label, display_width(heading()) + 1);
            needed.usd = std::max(needed.usd, mean->mean.size());
        }
        needed.hours += min_gap;
        needed.usd += min_gap;
        needed.share += min_gap;
        widths_ = {std::clamp(needed.label, widths_.label, max_label),
                   std::max(widths_.hours, needed.hours),
                   std::max(widths_.usd, needed.usd),
                   std::max(widths_.share, needed.share)};
        if (widths_.sum() <= options_.width)
            return;
        widths_ = {widths_.label, needed.hours, needed.usd, needed.share};
        const std::size_t too_wide = widths_.sum() - std::min(widths_.sum(), options_.width);
        widths_.label -= std::min(too_wide, widths_.label - min_label);
    }

    void line(std::string_view text) { put_line(sink_, text); }
    void strong_line(std::string_view text) {
        if (options_.colour == Colour::always)
            sink_.put("\x1b[1m");
        sink_.put(text.substr(0, text.find_last_not_of(' ') + 1));
        sink_.put(options_.colour == Colour::always ? "\x1b[0m\n" : "\n");
    }

    /// `parts` side by side, as many to a line as fit; further lines begin with `further`. A part
    /// that is longer than a line is wrapped.
    void fitted(const std::vector<std::string>& parts,
                std::string_view between,
                std::string_view before,
                std::string_view further) {
        std::string text{before};
        bool first_of_line = true;
        for (const std::string& part : parts) {
            if (part.empty())
                continue;
            const std::size_t width = display_width(text) + display_width(part) +
                                      (first_of_line ? 0 : display_width(between));
            if (!first_of_line && width > options_.width) {
                line(text);
                text = further;
                first_of_line = true;
            }
            if (first_of_line && between != " " &&
                display_width(text) + display_width(part) > options_.width) {
                fitted(words_of(part), " ", text, further);
                text = further;
                continue;
            }
            text += (first_of_line ? "" : std::string{between}) + part;
            first_of_line = false;
        }
        if (!first_of_line)
            line(text);
    }

    /// Words of `text` after `before`; further lines are indented.
    void wrapped(std::string_view before, std::string_view text) {
        fitted(words_of(text), " ", before, more_indent);
    }
    void fact(std::string_view name, std::string_view text) {
        wrapped(std::string{indent} + std::string{name} + ": ", terminal_text(text));
    }

    void title() {
        const std::string name = terminal_text(result_.run.scenario_name);
        fitted(
            {name, span_sentence(result_), terminal_text(policy_sentence(result_))}, gap, "", "");
        for (const std::string& assumed : result_.run.decisive)
            fitted(words_of(terminal_text("assumed: " + assumed)), " ", "", indent);
        sink_.put('\n');
    }

    [[nodiscard]] std::string label_of(const BillRow& row) const {
        const std::string label = terminal_text(row.label);
        return row.is_leaf ? "  " + label : label;
    }

    [[nodiscard]] std::string columns(std::string_view label,
                                      std::string_view hours,
                                      std::string_view usd,
                                      std::string_view share) const {
        const std::array grid{GridColumn{widths_.label, true, indent.size()},
                              GridColumn{widths_.hours, false, 0},
                              GridColumn{widths_.usd, false, 0},
                              GridColumn{widths_.share, false, 0}};
        return grid_line(grid,
                         std::array{cut_to_width(label, widths_.label - 1),
                                    std::string{hours},
                                    std::string{usd},
                                    std::string{share}});
    }
    [[nodiscard]] std::string figures(const BillRow& row) const {
        return columns(label_of(row),
                       grouped_text(row.hours_tenths, 1),
                       grouped_text(row.usd_cents, 2),
                       percent(row.share_permille));
    }

    /// A note beside the figures where there is room for it, else on lines of its own.
    void noted(const std::string& text, const std::string& note) {
        const bool fits = display_width(text) + 3 + display_width(note) <= options_.width;
        line(fits ? text + "   " + note : text);
        if (!fits)
            wrapped("      ", note);
    }

    /// What the rows are; of several seeds, which one's.
    [[nodiscard]] std::string heading() const {
        constexpr std::array<std::string_view, group_by_names.size()> titles{"where it went",
                                                                             "by leaf",
                                                                             "by pool",
                                                                             "by tenant",
                                                                             "by purchase",
                                                                             "by GPU type",
                                                                             "by month"};
        const std::string title{titles[static_cast<std::size_t>(options_.group_by)]};
        return repeated_total(result_) ? title + ", " + seed_title(result_) : title;
    }

    void bill() {
        strong_line(columns(heading(), "GPU-hours", "USD", "share"));
        for (const BillRow& row : table_.rows)
            noted(figures(row), row.note);
        if (!table_.empty_groups.empty())
            wrapped(indent, "no time in " + joined(table_.empty_groups, ", "));
        line(std::string{indent} + std::string(widths_.sum() - indent.size(), '-'));
        line(figures(table_.paid));
        for (const BillRow& other : table_.other_costs)
            line(columns(terminal_text(other.label), "", grouped_text(other.usd_cents, 2), ""));
        total();
        if (options_.group_by == GroupBy::tenant)
            wrapped(indent, sharing_sentence(options_.share_idle));
        sink_.put('\n');
    }

    /// The total, with the rate per hour beside it; of several seeds that of the first one, and
    /// the mean over all of them, with its interval beside it.
    void total() {
        const std::string cents = grouped_text(table_.total_cents, 2);
        const std::string burn = burn_sentence(result_);
        const std::optional<RepeatLine> mean = repeated_total(result_);
        if (mean)
            noted(columns("total, " + seed_title(result_), "", cents, ""), burn);
        const std::string text = columns("TOTAL", "", mean ? mean->mean : cents, "");
        const std::string& note = mean ? mean->interval : burn;
        const bool fits = display_width(text) + 3 + display_width(note) <= options_.width;
        strong_line(fits ? text + "   " + note : text);
        if (!fits)
            wrapped("      ", note);
    }

    void facts() {
        if (const std::string totals = currency_sentence(result_); !totals.empty())
            fact("in " + terminal_text(result_.run.currency->code), totals);
        for (const FleetRow& pool : fleet_rows(result_))
            fact("fleet", fleet_sentence(result_, pool));
        for (const std::string& price : price_sentences(result_))
            fact("price", price);
        if (const std::string bought = purchases_sentence(table_.by_purchase); !bought.empty())
            fact("by purchase", bought);
        for (const std::string& sentence : energy_sentences(result_))
            fact("energy", sentence);
        for (const std::string& sentence : month_sentences(result_))
            fact("month", sentence);
        for (const BudgetSentence& budget : budget_sentences(result_))
            fact(budget.is_alert ? "budget alert" : "budget", budget.text);
        wrapped(indent, goodput_sentence(result_));
        if (const std::string drain = drain_sentence(result_); !drain.empty())
            fact("largest drain", drain);
        std::vector<std::string> felt{jobs_sentence(result_)};
        for (std::string& sentence : wait_sentences(result_))
            felt.push_back(std::move(sentence));
        if (std::string preemptions = preemption_sentence(result_); !preemptions.empty())
            felt.push_back(std::move(preemptions));
        fitted(felt, gap, indent, indent);
        if (const std::string deadlines = deadline_sentence(result_); !deadlines.empty())
            fact("deadlines", deadlines);
        if (const std::string lost = lost_work_sentence(result_); !lost.empty())
            fact("lost work", lost);
        if (const std::string placement = placement_sentence(result_); !placement.empty())
            wrapped(indent, placement);
        for (const std::string& sentence : uncertainty_sentences(result_))
            fact("uncertain", sentence);
        for (const std::string& note : result_.run.trace_notes)
            fact("trace", note);
        for (const std::string& warning : result_.run.warnings)
            fact("warning", warning);
        if (!result_.run.assumed.empty())
            fact("assumed", joined(result_.run.assumed, "; "));
        if (!result_.run.unmodelled.empty())
            fact("not modelled", joined(result_.run.unmodelled, "; "));
        if (const std::string unpriced = unpriced_sentence(result_); !unpriced.empty())
            fact("unpriced", unpriced);
    }

    void repeats(const Repeats& repeats) {
        fact("repeats", repeat_sentence(result_, repeats));
        const std::vector<RepeatLine> lines = repeat_lines(repeats);
        std::array grid{GridColumn{0, true, more_indent.size()},
                        GridColumn{0, false, min_gap},
                        GridColumn{0, true, 3}};
        for (const RepeatLine& scalar : lines) {
            grid[0].width = std::max(grid[0].width, display_width(scalar.title));
            grid[1].width = std::max(grid[1].width, display_width(scalar.mean));
        }
        for (const RepeatLine& scalar : lines)
            line(grid_line(grid, std::array{scalar.title, scalar.mean, scalar.interval}));
    }

    static std::string joined(const std::vector<std::string>& texts, std::string_view between) {
        std::string out;
        for (const std::string& text : texts) {
            if (!out.empty())
                out += between;
            out += text;
        }
        return out;
    }

    const Result& result_;
    const OutputOptions& options_;
    TextSink& sink_;
    BillTable table_;
    Widths widths_;
};

} // namespace

void write_terminal_table(const Result& result, const OutputOptions& options, TextSink& sink) {
    TableWriter{result, options, sink}.write();
}

}} // namespace bursar::reports
