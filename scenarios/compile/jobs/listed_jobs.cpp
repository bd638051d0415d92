#include "scenarios/compile/jobs/listed_jobs.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace bursar { inline namespace scenarios {
namespace {

std::uint16_t tenant_number(std::vector<std::string>& tenants, const std::string& name) {
    const auto number = std::ranges::find(tenants, name) - tenants.begin();
    if (number == std::ssize(tenants))
        tenants.push_back(name);
    return static_cast<std::uint16_t>(number);
}

} // namespace

Trace listed_trace(const JobList& list) {
    Trace trace;
    trace.gpu_type_sets = {{}};
    trace.format = "list";
    for (const ListedJob& job : list.jobs) {
        const std::uint16_t tenant =
            tenant_number(trace.tenants, job.tenant.empty() ? "all" : job.tenant);
        for (std::int64_t i = 0; i < job.count; ++i) {
            trace.submit_ms.push_back((job.submit + job.every * i).count());
            trace.duration_ms.push_back(job.duration.value_or(Duration{}).count());
            trace.gpus.push_back(static_cast<std::uint32_t>(job.gpus));
            trace.tenant.push_back(tenant);
            trace.names += job.name;
            trace.name_end.push_back(trace.names.size());
        }
    }
    trace.num_rows_read = trace.size();
    return trace;
}

std::string ListedRow::path() const {
    return fmt::format("workload.jobs[{}]", entry);
}

ListedRows::ListedRows(const Scenario& scenario) : list_{std::get_if<JobList>(&scenario.workload)} {
    if (list_ == nullptr)
        return;
    std::size_t rows = 0;
    for (const ListedJob& job : list_->jobs)
        ends_.push_back(rows += static_cast<std::size_t>(job.count));
}

std::optional<ListedRow> ListedRows::at(std::size_t row) const {
    if (list_ == nullptr)
        return std::nullopt;
    const auto found = std::ranges::upper_bound(ends_, row);
    assert(found != ends_.end());
    const auto entry = static_cast<std::size_t>(found - ends_.begin());
    return ListedRow{&list_->jobs[entry], entry, row == (entry == 0 ? 0 : ends_[entry - 1])};
}

}} // namespace bursar::scenarios
