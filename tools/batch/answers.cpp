#include "tools/batch/answers.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <unistd.h>

#include "models/units/int128.hpp"

#include "sim/ledger/leaf.hpp"
#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

namespace bursar { inline namespace tools {
namespace {

/// The text as a field of CSV, quoted if needed.
std::string quoted_field(std::string_view text) {
    if (text.find_first_of(",\"\n\r") == std::string_view::npos)
        return std::string{text};
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string{"\"\""} : std::string{c};
    return quoted + '"';
}

/// 16 hexadecimal digits, as in all files of bursar.
std::string hash_digits(std::uint64_t hash) {
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4)
        digits += "0123456789abcdef"[hash >> static_cast<unsigned>(shift) & 15U];
    return digits;
}

std::string text_of(int128 number) {
    const bool is_negative = number < 0;
    uint128 left = is_negative ? -static_cast<uint128>(number) : static_cast<uint128>(number);
    std::string digits;
    do {
        digits += static_cast<char>('0' + static_cast<int>(left % 10));
        left /= 10;
    } while (left > 0);
    if (is_negative)
        digits += '-';
    std::ranges::reverse(digits);
    return digits;
}

/// GPU time and cost by leaf.
struct LeafTotals {
    std::array<SlotTime, num_leaves> held{};
    std::array<Money, num_leaves> cost{};
};

LeafTotals totals_of(const Plan& plan, const Outcome& outcome) {
    LeafTotals totals;
    for (std::size_t pool = 0; pool < outcome.num_pools; ++pool)
        for (std::size_t tenant = 0; tenant <= outcome.num_tenants; ++tenant)
            for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
                const std::size_t at = outcome.index(pool, tenant, static_cast<Leaf>(leaf));
                totals.held[leaf] += outcome.cells[at];
                totals.cost[leaf] += outcome.money.empty()
                                         ? plan.pools[pool].rate * outcome.cells[at]
                                         : outcome.money[at];
            }
    return totals;
}

/// The sum, then each leaf.
template <class Quantity>
void append(const std::array<Quantity, num_leaves>& by_leaf, std::vector<std::string>& fields) {
    Quantity sum{};
    for (const Quantity one : by_leaf)
        sum += one;
    fields.push_back(text_of(sum.count()));
    for (const Quantity one : by_leaf)
        fields.push_back(text_of(one.count()));
}

std::vector<std::string> all_columns() {
    std::vector<std::string> columns{"fingerprint",
                                     "events",
                                     "started",
                                     "finished",
                                     "preempted",
                                     "preempted_without_progress",
                                     "running_at_end",
                                     "queued_at_end",
                                     "reservations",
                                     "launches",
                                     "reclaimed",
                                     "failures",
                                     "end_ms",
                                     "window_begin_ms",
                                     "window_end_ms"};
    for (const std::string_view what : {"gpu_hours", "cost"}) {
        columns.push_back("exact." + std::string{what} + ".paid");
        for (const std::string_view leaf : leaf_names)
            columns.push_back("exact." + std::string{what} + ".by_leaf." + std::string{leaf});
    }
    return columns;
}

/// The columns filled from an outcome, in order, in the units of `exact` in reports/OUTPUTS.md.
const std::vector<std::string>& outcome_columns() {
    static const std::vector<std::string> columns = all_columns();
    return columns;
}

/// The fields of an outcome for those columns: equal outcomes give equal texts. plan: the one that
/// was run.
std::vector<std::string> outcome_fields(const Plan& plan, const Outcome& outcome) {
    std::vector<std::string> fields{hash_digits(outcome.fingerprint)};
    const auto add = [&](auto number) { fields.push_back(text_of(number)); };
    add(outcome.events);
    add(outcome.num_started);
    add(outcome.num_finished);
    add(outcome.num_preempted);
    add(outcome.num_preempted_without_progress);
    add(outcome.num_running_at_end);
    add(outcome.num_queued_at_end);
    add(outcome.num_reservations);
    PoolNodesUsed nodes;
    for (const PoolNodesUsed& used : outcome.nodes) {
        nodes.num_launches += used.num_launches;
        nodes.num_reclaimed += used.num_reclaimed;
        nodes.num_failures += used.num_failures;
    }
    add(nodes.num_launches);
    add(nodes.num_reclaimed);
    add(nodes.num_failures);
    add(outcome.end.count());
    add(outcome.window_begin.count());
    add(outcome.window_end.count());
    const LeafTotals totals = totals_of(plan, outcome);
    append(totals.held, fields);
    append(totals.cost, fields);
    return fields;
}

/// Whether two outcomes of one plan have equal fields.
bool have_equal_rows(const Outcome& own, const Outcome& other) {
    const auto numbers = [](const Outcome& outcome) {
        return std::tuple{outcome.fingerprint,
                          outcome.events,
                          outcome.num_started,
                          outcome.num_finished,
                          outcome.num_preempted,
                          outcome.num_preempted_without_progress,
                          outcome.num_running_at_end,
                          outcome.num_queued_at_end,
                          outcome.num_reservations,
                          outcome.end,
                          outcome.window_begin,
                          outcome.window_end};
    };
    const auto counts = [](const PoolNodesUsed& used) {
        return std::tuple{used.num_launches, used.num_reclaimed, used.num_failures};
    };
    return numbers(own) == numbers(other) && own.cells == other.cells && own.money == other.money &&
           own.grid == other.grid && std::ranges::equal(own.nodes, other.nodes, {}, counts, counts);
}

std::string_view name_of(RowStatus status) {
    switch (status) {
    case RowStatus::ok:
        return "ok";
    case RowStatus::refused:
        return "refused";
    case RowStatus::failed:
        return "failed";
    }
    return {};
}

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
    const auto [own, its] = std::ranges::mismatch(fields, others); // fingerprints come first
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
    log_progress();
}

void BatchAnswers::add_failure(std::size_t plan, RowStatus status, const std::string& why) {
    const std::lock_guard lock{mutex_};
    if (!rows_[plan])
        keep(plan, {status, {}, {}, why});
    log_progress();
}

MadeRuns BatchAnswers::made_by(const std::string& device) const {
    const auto found = made_.find(device);
    return found == made_.end() ? MadeRuns{} : found->second;
}

void BatchAnswers::log_progress() {
    ++num_reported_;
    const auto now = std::chrono::steady_clock::now();
    if (!shows_progress_ || now - last_progress_ < std::chrono::milliseconds{500})
        return;
    last_progress_ = now;
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    const double rate = static_cast<double>(num_reported_) / seconds;
    const std::size_t left = num_runs_ > num_reported_ ? num_runs_ - num_reported_ : 0;
    std::fprintf(stderr,
                 "\r%zu of %zu runs, %.0f/s, %.0f s left\x1b[K",
                 num_reported_,
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
    std::vector<std::string> reasons;
    for (std::size_t plan = 0; plan < plans_.size(); ++plan)
        if (rows_[plan] && rows_[plan]->status == status)
            reasons.push_back(plans_[plan].file + ": " + rows_[plan]->why);
    return reasons;
}

}} // namespace bursar::tools
