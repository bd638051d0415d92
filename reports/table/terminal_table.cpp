#include "reports/table/terminal_table.hpp"

#include <algorithm>

#include "reports/bill/bill_table.hpp"
#include "reports/summary/sentences.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"

namespace bursar {
namespace {

constexpr std::string_view indent = "  ";
constexpr std::string_view gap = "     ";
constexpr std::size_t least_label_width = 20;
constexpr std::size_t most_label_width = 40;
constexpr std::size_t hours_width = 12;
constexpr std::size_t usd_width = 15;
constexpr std::size_t share_width = 9;

std::string left(const std::string& text, std::size_t width) {
    const std::size_t have = display_width(text);
    return have < width ? text + std::string(width - have, ' ') : text;
}

std::string right(const std::string& text, std::size_t width) {
    const std::size_t have = display_width(text);
    return have < width ? std::string(width - have, ' ') + text : text;
}

/// The first `width` characters, the last of them an ellipsis where something was cut.
std::string cut(const std::string& text, std::size_t width) {
    if (display_width(text) <= width)
        return text;
    std::size_t end = 0;
    for (std::size_t kept = 0; end < text.size(); ++end) {
        const bool starts_character = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
        if (starts_character && ++kept == width)
            break;
    }
    return text.substr(0, end) + "\u2026";
}

class TableWriter {
  public:
    TableWriter(const Result& result, const OutputOptions& options, TextSink& sink)
        : result_{result}, options_{options}, sink_{sink}, table_{bill_table(result, options)} {
        std::size_t widest = 0;
        for (const BillRow& row : table_.rows)
            widest = std::max(widest, display_width(label_of(row)));
        for (const BillRow& row : table_.other_costs)
            widest = std::max(widest, display_width(label_of(row)));
        label_width_ = std::clamp(widest + 1, least_label_width, most_label_width);
    }

    void write() {
        title();
        bill();
        facts();
    }

  private:
    void line(std::string_view text) {
        sink_.put(text.substr(0, text.find_last_not_of(' ') + 1));
        sink_.put('\n');
    }
    void strong_line(std::string_view text) {
        if (options_.colour == Colour::always)
            sink_.put("\x1b[1m");
        sink_.put(text.substr(0, text.find_last_not_of(' ') + 1));
        sink_.put(options_.colour == Colour::always ? "\x1b[0m\n" : "\n");
    }

    /// `parts` side by side, as many to a line as fit; further lines begin with `indent_more`.
    void fitted(const std::vector<std::string>& parts,
                std::string_view between,
                std::string_view before,
                std::string_view indent_more) {
        std::string text{before};
        bool first_of_line = true;
        for (const std::string& part : parts) {
            if (part.empty())
                continue;
            const std::size_t width =
                display_width(text) + display_width(between) + display_width(part);
            if (!first_of_line && width > options_.width) {
                line(text);
                text = indent_more;
                first_of_line = true;
            }
            text += (first_of_line ? "" : std::string{between}) + part;
            first_of_line = false;
        }
        line(text);
    }

    /// Words of `text` after "  label: ", wrapped.
    void wrapped(std::string_view label, const std::string& text) {
        std::vector<std::string> words;
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find(' ', begin), text.size());
            words.push_back(text.substr(begin, end - begin));
            begin = end + 1;
        }
        fitted(words, " ", std::string{indent} + std::string{label}, "    ");
    }

    void title() {
        const std::string name = terminal_text(result_.run.scenario_name);
        fitted(
            {name, span_sentence(result_), terminal_text(policy_sentence(result_))}, gap, "", "");
        sink_.put('\n');
    }

    [[nodiscard]] std::string label_of(const BillRow& row) const {
        const std::string label = terminal_text(row.label);
        return row.is_leaf ? "  " + label : label;
    }

    [[nodiscard]] std::string figures(const BillRow& row) const {
        return std::string{indent} + left(cut(label_of(row), label_width_ - 1), label_width_) +
               right(grouped_text(row.hours_tenths, 1), hours_width) +
               right(grouped_text(row.usd_cents, 2), usd_width) +
               right(grouped_text(row.share_permille, 1) + " %", share_width);
    }
    [[nodiscard]] std::string cost_only(const std::string& label, int128 cents) const {
        return std::string{indent} + left(cut(label, label_width_ - 1), label_width_) +
               std::string(hours_width, ' ') + right(grouped_text(cents, 2), usd_width);
    }

    /// A note beside the figures where there is room for it, else on a line of its own.
    void noted(const std::string& text, const std::string& note) {
        if (note.empty() || display_width(text) + 3 + display_width(note) <= options_.width) {
            line(text + "   " + note);
            return;
        }
        line(text);
        line(std::string{indent} + "    " + note);
    }

    void bill() {
        constexpr std::array<std::string_view, 6> titles{
            "where it went", "by leaf", "by pool", "by tenant", "by purchase", "by GPU type"};
        const std::string heading{titles[static_cast<std::size_t>(options_.group_by)]};
        strong_line(std::string{indent} + left(heading, label_width_) +
                    right("GPU-hours", hours_width) + right("USD", usd_width) +
                    right("share", share_width));
        for (const BillRow& row : table_.rows)
            noted(figures(row), row.note);
        if (!table_.empty_groups.empty())
            line(std::string{indent} + "nothing in " + joined(table_.empty_groups));
        line(std::string{indent} +
             std::string(label_width_ + hours_width + usd_width + share_width, '-'));
        line(figures(table_.paid));
        for (const BillRow& other : table_.other_costs)
            line(cost_only(terminal_text(other.label), other.usd_cents));
        total();
        sink_.put('\n');
    }

    /// The total, with the rate per hour beside it where there is room.
    void total() {
        const std::string text = cost_only("TOTAL", table_.total_cents);
        const std::string burn = burn_sentence(result_);
        const std::string beside = text + std::string(share_width + 3, ' ') + burn;
        if (burn.empty() || display_width(beside) <= options_.width) {
            strong_line(beside);
        } else {
            strong_line(text);
            line(std::string{indent} + "    " + burn);
        }
    }

    void facts() {
        wrapped("", goodput_sentence(result_));
        std::vector<std::string> felt{jobs_sentence(result_)};
        for (std::string& sentence : felt_sentences(result_))
            felt.push_back(std::move(sentence));
        fitted(felt, gap, indent, indent);
        for (const std::string& note : result_.run.trace_notes)
            wrapped("trace: ", terminal_text(note));
        for (const std::string& warning : result_.run.warnings)
            wrapped("warning: ", terminal_text(warning));
        if (!result_.run.assumed.empty())
            wrapped("assumed: ", terminal_text(joined(result_.run.assumed, "; ")));
        line(std::string{indent} + run_sentence(result_, options_));
    }

    static std::string joined(const std::vector<std::string>& texts,
                              std::string_view between = ", ") {
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
    std::size_t label_width_{};
};

} // namespace

void write_terminal_table(const Result& result, const OutputOptions& options, TextSink& sink) {
    TableWriter{result, options, sink}.write();
}

} // namespace bursar
