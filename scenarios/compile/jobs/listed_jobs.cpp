#include "scenarios/compile/jobs/listed_jobs.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "scenarios/compile/jobs/trials.hpp"

namespace bursar { inline namespace scenarios {
namespace {

std::uint16_t tenant_number(std::vector<std::string>& tenants, const std::string& name) {
    const auto number = std::ranges::find(tenants, name) - tenants.begin();
    if (number == std::ssize(tenants))
        tenants.push_back(name);
    return static_cast<std::uint16_t>(number);
}

/// Turns the entries of a list into rows.
class ListedTrace {
  public:
    ListedTrace(const JobList& list, std::uint64_t seed) : list_{list}, seed_{seed} {
        trace_.gpu_type_sets = {{}};
        trace_.format = "list";
    }

    Trace build() {
        for (const ListedJob& job : list_.jobs) {
            begins_.push_back(static_cast<std::uint32_t>(trace_.size()));
            tenant_ = tenant_number(trace_.tenants, job.tenant.empty() ? "all" : job.tenant);
            if (job.trials)
                add_trials(job);
            else
                for (std::int64_t i = 0; i < job.count; ++i)
                    add(job,
                        {.trial = static_cast<std::uint32_t>(i),
                         .gpus = job.gpus,
                         .duration_ms = job.duration.value_or(Duration{}).count()});
            trace_.entry_end.push_back(trace_.size());
        }
        const auto is_used = [](const auto& column) {
            return std::ranges::any_of(column,
                                       [](auto value) { return value != decltype(value){}; });
        };
        if (std::ranges::any_of(list_.jobs, &waits))
            add_needs();
        if (!is_used(trace_.think_ms))
            trace_.think_ms.clear();
        if (!is_used(trace_.due_after_ms))
            trace_.due_after_ms.clear();
        if (!is_used(trace_.end))
            trace_.end.clear();
        if (!is_used(trace_.spared_gpu_ms))
            trace_.spared_gpu_ms.clear();
        trace_.num_rows_read = trace_.size();
        return std::move(trace_);
    }

  private:
    static bool waits(const ListedJob& job) {
        return !job.after.empty() || !job.after_each.empty() ||
               (job.trials && job.trials->max_stages() > 1);
    }

    void add_trials(const ListedJob& job) {
        for (const TrialJob& row : trial_jobs(job, begins_.size() - 1, seed_))
            add(job, row);
    }

    void add(const ListedJob& job, const TrialJob& row) {
        trace_.submit_ms.push_back((job.submit + job.every * row.trial).count());
        trace_.duration_ms.push_back(row.duration_ms);
        trace_.gpus.push_back(static_cast<std::uint32_t>(row.gpus));
        trace_.tenant.push_back(tenant_);
        trace_.think_ms.push_back(row.stage == 0 ? job.think_time.count() : 0);
        trace_.due_after_ms.push_back(job.deadline.value_or(Duration{}).count());
        trace_.end.push_back(row.end);
        trace_.spared_gpu_ms.push_back(row.spared_gpu_ms);
        trace_.names += job.name;
        trace_.name_end.push_back(trace_.names.size());
        rows_.push_back({row.trial, row.stage});
    }

    void add_needs() {
        std::size_t row = 0;
        for (std::size_t entry = 0; entry < list_.jobs.size(); ++entry)
            for (; row < trace_.entry_end[entry]; ++row) {
                std::vector<std::uint32_t> needed =
                    rows_[row].stage == 0 ? needs_of(list_.jobs[entry], rows_[row].trial)
                                          : stage_before(entry, row);
                std::ranges::sort(needed);
                needed.erase(std::ranges::unique(needed).begin(), needed.end());
                trace_.needs.add_row(needed);
            }
    }

    [[nodiscard]] std::vector<std::uint32_t> needs_of(const ListedJob& job,
                                                      std::uint32_t number) const {
        std::vector<std::uint32_t> rows;
        for (std::size_t i = 0; i < list_.jobs.size(); ++i) {
            const std::string& name = list_.jobs[i].name;
            if (std::ranges::find(job.after, name) != job.after.end())
                for (std::uint32_t row = begins_[i]; row < trace_.entry_end[i]; ++row)
                    rows.push_back(row);
            if (std::ranges::find(job.after_each, name) != job.after_each.end())
                rows.push_back(begins_[i] + number);
        }
        return rows;
    }

    /// What a later job of a trial waits for: its smoke test, or all trials of the rung before.
    [[nodiscard]] std::vector<std::uint32_t> stage_before(std::size_t entry,
                                                          std::size_t row) const {
        const bool after_smoke = list_.jobs[entry].trials->smoke && rows_[row].stage == 1;
        std::vector<std::uint32_t> rows;
        for (std::uint32_t other = begins_[entry]; other < row; ++other)
            if (rows_[other].stage + 1 == rows_[row].stage &&
                (!after_smoke || rows_[other].trial == rows_[row].trial))
                rows.push_back(other);
        return rows;
    }

    struct Row {
        std::uint32_t trial{}; ///< its number in the entry
        std::uint32_t stage{};
    };

    const JobList& list_;
    std::uint64_t seed_;
    Trace trace_;
    std::vector<std::uint32_t> begins_; ///< of each entry, its first row
    std::vector<Row> rows_;
    std::uint16_t tenant_{}; ///< of the current entry
};

} // namespace

Trace listed_trace(const JobList& list, std::uint64_t seed) {
    return ListedTrace{list, seed}.build();
}

std::string ListedRow::path() const {
    return fmt::format("workload.jobs[{}]", entry);
}

ListedRows::ListedRows(const Scenario& scenario, const Trace& trace)
    : list_{std::get_if<JobList>(&scenario.workload)}, ends_{trace.entry_end} {
    if (list_ == nullptr || !ends_.empty())
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
