#include "tools/batch/answers.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <unistd.h>

namespace bursar { inline namespace tools {
namespace {

std::string header() {
    std::string text = "plan,hash,status";
    for (const std::string& column : outcome_columns())
        text += "," + column;
    return text + ",why\n";
}

} // namespace

BatchAnswers::BatchAnswers(std::span<const BatchPlan> plans,
                           OutcomeFile& file,
                           std::size_t num_runs)
    : plans_{plans}, file_{file}, num_runs_{num_runs}, rows_(plans.size()),
      shows_progress_{::isatty(STDERR_FILENO) == 1} {
    file_.add(header());
}

std::string BatchAnswers::text_of(std::size_t plan) const {
    const Row& row = *rows_[plan];
    std::string text = quoted_field(plans_[plan].file) + "," + hash_digits(plans_[plan].hash) +
                       "," + std::string{name_of(row.status)};
    if (!row.outcome)
        text.append(outcome_columns().size(), ',');
    else
        for (const std::string& field : outcome_fields(*plans_[plan].plan, *row.outcome))
            text += "," + field;
    return text + "," + quoted_field(row.why) + "\n";
}

void BatchAnswers::keep(std::size_t plan, Row row) {
    rows_[plan] = std::move(row);
    file_.add(text_of(plan));
}

void BatchAnswers::compare(std::size_t plan,
                           const Row& first,
                           const Outcome& other,
                           const std::string& device) {
    if (have_equal_rows(*first.outcome, other))
        return;
    const std::vector<std::string> fields = outcome_fields(*plans_[plan].plan, *first.outcome);
    const std::vector<std::string> others = outcome_fields(*plans_[plan].plan, other);
    const auto [own, its] = std::ranges::mismatch(fields, others); // fingerprints stand first
    const std::string where =
        own == fields.end() ? std::string{"what its pools and tenants are charged differs"}
                            : outcome_columns()[static_cast<std::size_t>(own - fields.begin())] +
                                  " is " + *own + " and " + *its;
    differences_.push_back(plans_[plan].file + ": " + where + " on " + first.device + " and on " +
                           device);
}

void BatchAnswers::add(std::size_t plan, const Outcome& outcome, const std::string& device) {
    const std::string flaw = flaw_of(plans_[plan], outcome);
    const std::lock_guard lock{mutex_};
    MadeRuns& made = made_[device];
    ++made.num_runs;
    made.num_jobs += plans_[plan].plan->num_jobs();
    made.num_events += outcome.events;
    const std::optional<Row>& row = rows_[plan];
    if (row && row->outcome)
        compare(plan, *row, outcome, device);
    else if (flaw.empty())
        keep(plan, {RowStatus::ok, outcome, device, {}});
    else if (!row)
        keep(plan, {RowStatus::refused, {}, device, flaw});
    say_progress();
}

void BatchAnswers::add_failure(std::size_t plan, RowStatus status, const std::string& why) {
    const std::lock_guard lock{mutex_};
    if (!rows_[plan])
        keep(plan, {status, {}, {}, why});
    say_progress();
}

MadeRuns BatchAnswers::made_by(const std::string& device) const {
    const auto found = made_.find(device);
    return found == made_.end() ? MadeRuns{} : found->second;
}

void BatchAnswers::say_progress() {
    ++num_told_;
    const auto now = std::chrono::steady_clock::now();
    if (!shows_progress_ || now - said_ < std::chrono::milliseconds{500})
        return;
    said_ = now;
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    const double rate = static_cast<double>(num_told_) / seconds;
    const std::size_t left = num_runs_ > num_told_ ? num_runs_ - num_told_ : 0;
    std::fprintf(stderr,
                 "\r%zu of %zu runs, %.0f/s, %.0f s left\x1b[K",
                 num_told_,
                 num_runs_,
                 rate,
                 static_cast<double>(left) / rate);
}

void BatchAnswers::finish() {
    if (shows_progress_)
        std::fputs("\r\x1b[K", stderr);
    std::vector<std::string> table{header()};
    for (std::size_t plan = 0; plan < plans_.size(); ++plan) {
        if (!rows_[plan])
            rows_[plan] = Row{RowStatus::failed, {}, {}, "it was not run"};
        table.push_back(text_of(plan));
    }
    file_.finish(table);
}

std::vector<std::string> BatchAnswers::unanswered(RowStatus status) const {
    std::vector<std::string> told;
    for (std::size_t plan = 0; plan < plans_.size(); ++plan)
        if (rows_[plan] && rows_[plan]->status == status)
            told.push_back(plans_[plan].file + ": " + rows_[plan]->why);
    return told;
}

}} // namespace bursar::tools
