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

/// The rows that the jobs of a list wait for. begins: of each entry, its first row.
RowNeeds needs_of(const JobList& list, const std::vector<std::uint32_t>& begins) {
    RowNeeds needs;
    std::vector<std::uint32_t> rows;
    const auto add_named = [&](const std::string& name, const auto& add) {
        for (std::size_t i = 0; i < list.jobs.size(); ++i)
            if (list.jobs[i].name == name)
                add(begins[i], static_cast<std::uint32_t>(list.jobs[i].count));
    };
    for (const ListedJob& job : list.jobs) {
        for (std::uint32_t number = 0; number < job.count; ++number) {
            rows.clear();
            for (const std::string& name : job.after)
                add_named(name, [&](std::uint32_t begin, std::uint32_t count) {
                    for (std::uint32_t other = 0; other < count; ++other)
                        rows.push_back(begin + other);
                });
            for (const std::string& name : job.after_each)
                add_named(name, [&](std::uint32_t begin, std::uint32_t) {
                    rows.push_back(begin + number);
                });
            std::ranges::sort(rows);
            rows.erase(std::ranges::unique(rows).begin(), rows.end());
            needs.add_row(rows);
        }
    }
    return needs;
}

} // namespace

Trace listed_trace(const JobList& list) {
    Trace trace;
    trace.gpu_type_sets = {{}};
    trace.format = "list";
    std::vector<std::uint32_t> begins;
    bool some_wait = false;
    bool some_think = false;
    for (const ListedJob& job : list.jobs) {
        const std::uint16_t tenant =
            tenant_number(trace.tenants, job.tenant.empty() ? "all" : job.tenant);
        begins.push_back(static_cast<std::uint32_t>(trace.size()));
        some_wait = some_wait || !job.after.empty() || !job.after_each.empty();
        some_think = some_think || job.think_time > Duration{};
        for (std::int64_t i = 0; i < job.count; ++i) {
            trace.submit_ms.push_back((job.submit + job.every * i).count());
            trace.duration_ms.push_back(job.duration.value_or(Duration{}).count());
            trace.gpus.push_back(static_cast<std::uint32_t>(job.gpus));
            trace.tenant.push_back(tenant);
            trace.think_ms.push_back(job.think_time.count());
            trace.names += job.name;
            trace.name_end.push_back(trace.names.size());
        }
    }
    if (some_wait)
        trace.needs = needs_of(list, begins);
    if (!some_think)
        trace.think_ms.clear();
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
