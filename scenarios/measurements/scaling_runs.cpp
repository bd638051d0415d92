#include "scenarios/measurements/scaling_runs.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "models/scaling/surface_fit.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/text/csv_header.hpp"
#include "scenarios/traces/text/csv_reader.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t max_findings = 20;

/// Reads the rows after a header; keeps their mistakes.
class RunRows {
  public:
    RunRows(const CsvHeader& header, std::string file)
        : file_{std::move(file)}, num_columns_{header.names().size()},
          params_{header.require("params")}, loss_{header.require("loss")},
          tokens_{header.find("tokens")}, flops_{header.find("flops")} {
        if (!tokens_ && !flops_)
            (void)header.require("tokens");
    }

    void add(const TextRow& row) {
        if (!row.problem.empty())
            return note(row.problem_place, {}, mistake(std::string{row.problem}));
        if (row.fields.size() != num_columns_)
            return note(row.place(0),
                        {},
                        mistake(fmt::format("{} fields", row.fields.size()),
                                fmt::format("the header has {}", num_columns_)));
        const std::optional<double> params = size_in(row, params_, "params");
        const std::optional<double> loss = size_in(row, loss_, "loss");
        const std::optional<double> length =
            tokens_ ? size_in(row, *tokens_, "tokens") : size_in(row, *flops_, "flops");
        if (!params || !loss || !length)
            return;
        const Parameters size{*params};
        const Tokens tokens = tokens_ ? Tokens{*length} : affordable_tokens(Flops{*length}, size);
        runs_.push_back({{size, tokens}, *loss});
    }

    /// Throws the mistakes, if there are any.
    std::vector<ScalingRun> take() {
        if (!findings_.empty())
            throw ScenarioError{std::move(findings_)};
        if (runs_.size() < min_runs_to_fit)
            fail_input(file_,
                       mistake(fmt::format("{} runs", runs_.size()),
                               fmt::format("a loss surface has five coefficients; at least {} "
                                           "runs are needed",
                                           min_runs_to_fit)));
        return std::move(runs_);
    }

    [[nodiscard]] bool gives_up() const { return findings_.size() >= max_findings; }

  private:
    std::optional<double> size_in(const TextRow& row, std::size_t field, std::string_view column) {
        const std::string_view text = row.fields[field];
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = error == std::errc{} && end == text.data() + text.size();
        if (whole && std::isfinite(value) && value > 0)
            return value;
        note(row.place(field),
             column,
             text.empty() ? mistake("missing")
                          : mistake(in_quotes(text) + " is not a finite number above zero"));
        return std::nullopt;
    }

    void note(FieldPlace place, std::string_view column, Finding finding) {
        finding.place = {file_, place.line, place.column};
        finding.path = column;
        findings_.push_back(std::move(finding));
    }

    std::string file_;
    std::size_t num_columns_;
    std::size_t params_;
    std::size_t loss_;
    std::optional<std::size_t> tokens_;
    std::optional<std::size_t> flops_;
    std::vector<ScalingRun> runs_;
    std::vector<Finding> findings_;
};

} // namespace

std::vector<ScalingRun> read_scaling_runs(const std::string& path) {
    return read_scaling_runs(*open_bytes(path), path);
}

std::vector<ScalingRun> read_scaling_runs(ByteSource& bytes, const std::string& file) {
    CsvReader reader{bytes, file};
    const CsvHeader header{reader};
    RunRows rows{header, file};
    while (const TextRow* row = reader.next()) {
        rows.add(*row);
        if (rows.gives_up())
            break;
    }
    return rows.take();
}

}} // namespace bursar::scenarios
