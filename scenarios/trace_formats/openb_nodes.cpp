#include "scenarios/trace_formats/openb_nodes.hpp"

#include <limits>
#include <memory>
#include <optional>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/traces/bytes/open_bytes.hpp"
#include "scenarios/traces/text/csv_header.hpp"
#include "scenarios/traces/text/numbers.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::size_t max_mistakes = 20;

/// Reads numbers row by row and notes malformed ones.
class NodeFields {
  public:
    NodeFields(const std::string& file, const CsvHeader& header) : file_{file}, header_{header} {}

    std::int64_t number(const TextRow& row, std::size_t field, std::int64_t max) {
        const std::optional<std::int64_t> value = parse_count(row.fields[field]);
        if (value && *value <= max)
            return *value;
        note(row.place(field),
             header_.names()[field],
             mistake(in_quotes(row.fields[field]) + " is not a whole number in range"));
        return 0;
    }

    /// True when the row has the form of the header.
    bool well_formed(const TextRow& row) {
        if (!row.problem.empty())
            note(row.problem_place, {}, mistake(std::string{row.problem}));
        else if (row.fields.size() != header_.names().size())
            note(row.place(row.fields.size()), {}, mistake("not as many fields as the header"));
        else
            return true;
        return false;
    }

    void throw_mistakes() {
        if (!mistakes_.empty())
            throw ScenarioError{std::move(mistakes_)};
    }

  private:
    void note(FieldPlace place, std::string path, Finding problem) {
        problem.place = {file_, place.line, place.column};
        problem.path = std::move(path);
        mistakes_.push_back(std::move(problem));
        if (mistakes_.size() == max_mistakes)
            throw_mistakes();
    }

    const std::string& file_;
    const CsvHeader& header_;
    std::vector<Finding> mistakes_;
};

} // namespace

std::vector<NodeRow> read_openb_nodes(const std::string& file) {
    const std::unique_ptr<ByteSource> bytes = open_bytes(file);
    CsvReader reader{*bytes, file};
    const CsvHeader header{reader};
    const std::size_t name = header.require("sn");
    const std::size_t cpu = header.require("cpu_milli");
    const std::size_t memory = header.require("memory_mib");
    const std::size_t gpus = header.require("gpu");
    const std::size_t model = header.require("model");
    constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t max_gpus = std::numeric_limits<std::uint32_t>::max();

    std::vector<NodeRow> nodes;
    NodeFields fields{file, header};
    while (const TextRow* row = reader.next())
        if (fields.well_formed(*row))
            nodes.push_back({std::string{row->fields[name]},
                             fields.number(*row, cpu, max),
                             fields.number(*row, memory, max),
                             static_cast<std::uint32_t>(fields.number(*row, gpus, max_gpus)),
                             std::string{row->fields[model]}});
    fields.throw_mistakes();
    return nodes;
}

}} // namespace bursar::scenarios
