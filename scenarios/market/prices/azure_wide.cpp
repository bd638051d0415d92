#include <string>
#include <vector>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/market/prices/price_builder.hpp"
#include "scenarios/market/prices/price_format.hpp"
#include "scenarios/traces/text/csv_header.hpp"
#include "scenarios/traces/text/csv_reader.hpp"

namespace bursar { inline namespace scenarios {

bool is_azure_wide(std::string_view beginning) {
    if (beginning.starts_with("\xef\xbb\xbf"))
        beginning.remove_prefix(3);
    return beginning.starts_with("Date,");
}

void read_azure_wide(ByteSource& bytes, PriceBuilder& prices) {
    CsvReader reader{bytes, prices.file()};
    const CsvHeader header{reader};
    const std::vector<std::string>& names = header.names();
    for (const std::string& name : names)
        static_cast<void>(header.require(name)); // for its message: each machine must have one
                                                 // column
    while (const TextRow* row = reader.next()) {
        if (!row->problem.empty()) {
            prices.add_mistake(row->problem_place, {}, mistake(std::string{row->problem}));
            continue;
        }
        if (row->fields.size() != names.size()) {
            prices.add_mistake(row->place(row->fields.size()),
                               {},
                               mistake("the row has another number of fields than the header",
                                       "its fields do not match the columns"));
            continue;
        }
        const auto at_ms = prices.american_date(row->fields[0], names[0], row->place(0));
        for (std::size_t i = 1; at_ms && i < names.size(); ++i)
            prices.add(
                {names[i], {}, {}, {}, "spot"}, *at_ms, row->fields[i], 1, names[i], row->place(i));
    }
}

}} // namespace bursar::scenarios
