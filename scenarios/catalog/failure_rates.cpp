#include "scenarios/catalog/failure_rates.hpp"

#include "scenarios/catalog/builtin_files.hpp"
#include "scenarios/catalog/catalogue_file.hpp"
#include "scenarios/catalog/named_list.hpp"
#include "scenarios/catalog/unique_names.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar::inline scenarios {
namespace {

Key<NamedFailureRates>
rate(const std::string& name, double FailureRates::*member, std::string help) {
    return key_row<NamedFailureRates>(
        {name, std::move(help), Presence::optional},
        [member](NamedFailureRates& entry) -> double& { return entry.rates.*member; },
        NumberRule{0, Bound::included, 1e6});
}

/// Each rate at fault, or the missing failures of both. at: the entry.
void check_rates(const Reader& at, NamedFailureRates& entry, const KeysRead& read) {
    if (!read.good("per_job_day") || !read.good("per_node_day") || !read.good("nodes"))
        return;
    if (entry.rates.per_job_day + entry.rates.per_node_day <= 0)
        at.mistake("nothing ever fails", "per_job_day or per_node_day above zero");
    if (entry.max_nodes < entry.min_nodes)
        at.mistake_at("nodes", "the range is empty", "min, then max");
}

Table<NamedFailureRates> rate_keys() {
    using T = NamedFailureRates;
    const NumberRule count{0, Bound::excluded, 1e9};
    Table<T> nodes = table<T>({
        required("min", &T::min_nodes, count, "the fewest"),
        required("max", &T::max_nodes, count, "the most"),
    });
    return table<T>({
                        required("name", &T::name, text(), "unique; the value of `--rates`"),
                        rate("per_job_day",
                             &FailureRates::per_job_day,
                             "failures of a job in a day, whatever its size (0)"),
                        rate("per_node_day",
                             &FailureRates::per_node_day,
                             "failures of a node in a day (0)"),
                        section("nodes",
                                Presence::required,
                                std::move(nodes),
                                "sizes of jobs the rates were found on"),
                        required("source", &T::source, text(), "where they were published"),
                    })
        .check(check_rates);
}

CatalogueFile<FailureCatalogue> rate_file() {
    return CatalogueFile{table<FailureCatalogue>({required(
                             "rates", &FailureCatalogue::all, list_of(rate_keys()), "the rates")}),
                         [](const Reader& root) { UniqueNames{}.claim_names(root, "rates"); }};
}

} // namespace

const NamedFailureRates* FailureCatalogue::find(std::string_view name) const {
    return find_named(all, name);
}

std::vector<std::string> FailureCatalogue::names() const {
    return names_of(all);
}

FailureCatalogue builtin_failure_rates() {
    return read_failure_rates_text(builtin_failures_yaml, "failures.yaml");
}

FailureCatalogue read_failure_rates(const std::string& path) {
    return rate_file().read(path);
}

FailureCatalogue read_failure_rates_text(std::string_view text, const std::string& file) {
    return rate_file().read_text(text, file);
}

} // namespace bursar::inline scenarios
