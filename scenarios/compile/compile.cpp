#include "scenarios/compile/compile.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

#include "sim/plan/plan_view.hpp"

#include "scenarios/compile/fleet_plan.hpp"
#include "scenarios/compile/foreseen.hpp"
#include "scenarios/compile/jobs/idle_matches.hpp"
#include "scenarios/compile/jobs/job_demands.hpp"
#include "scenarios/compile/jobs/job_estimates.hpp"
#include "scenarios/compile/jobs/job_rules.hpp"
#include "scenarios/compile/jobs/job_works.hpp"
#include "scenarios/compile/jobs/job_worths.hpp"
#include "scenarios/compile/jobs/listed_jobs.hpp"
#include "scenarios/compile/jobs/shape_table.hpp"
#include "scenarios/compile/places/locality_plan.hpp"
#include "scenarios/compile/speeds/cadences.hpp"
#include "scenarios/compile/speeds/gpu_speeds.hpp"
#include "scenarios/compile/speeds/job_format.hpp"
#include "scenarios/compile/speeds/run_kind.hpp"
#include "scenarios/compile/speeds/run_time_notes.hpp"
#include "scenarios/compile/training/training_notes.hpp"
#include "scenarios/compile/world/broker_plan.hpp"
#include "scenarios/compile/world/end_of_run.hpp"
#include "scenarios/compile/world/energy_plan.hpp"
#include "scenarios/compile/world/gang_risks.hpp"
#include "scenarios/compile/world/job_failure_plan.hpp"
#include "scenarios/compile/world/most_nodes.hpp"
#include "scenarios/compile/world/price_plan.hpp"
#include "scenarios/compile/world/provisioning_plan.hpp"
#include "scenarios/compile/world/straggler_plan.hpp"
#include "scenarios/compile/world/world_plan.hpp"
#include "scenarios/errors/alike_findings.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/traces/trace_options.hpp"

namespace bursar::inline scenarios {
namespace {

void append(std::vector<std::string> more, std::vector<std::string>& to) {
    std::ranges::move(more, std::back_inserter(to));
}

/// Turns the rows of one trace into the job columns of one plan.
class JobCompiler {
  public:
    JobCompiler(const Scenario& scenario,
                const Catalogue& catalogue,
                const LocalityPlan& places,
                const Trace& trace,
                Compiled& compiled)
        : scenario_{scenario}, places_{places}, trace_{trace}, compiled_{compiled},
          plan_{compiled.plan}, rules_{scenario, catalogue, trace_, plan_},
          demands_{scenario, trace_, plan_}, listed_{scenario}, kinds_{scenario, catalogue, trace_},
          gpu_speeds_{scenario, catalogue, kinds_},
          work_{scenario, catalogue, trace_, rules_, listed_, places, kinds_, gpu_speeds_, plan_},
          cadences_{scenario, catalogue, trace.zero_utc_ms, plan_},
          worths_{scenario, trace_, plan_}, estimates_{scenario, trace_, plan_},
          run_times_{scenario, kinds_, gpu_speeds_}, orders_{scenario, plan_},
          fallbacks_{scenario, plan_}, most_nodes_{most_nodes(scenario, plan_, trace.zero_utc_ms)} {
        for (const MostNodes& most : most_nodes_)
            most_.push_back(most.nodes);
    }

    void compile() {
        plan_.classes = plan_classes(scenario_);
        jobs_of_class_.resize(plan_.classes.size());
        plan_.num_tenants =
            static_cast<std::uint32_t>(std::max<std::size_t>(1, trace_.tenants.size()));
        reserve();
        for (const std::uint32_t row : rows_by_submit())
            add(row);
        report_left_out();
        for (std::string& warning : idle_matches(scenario_, trace_, jobs_of_class_))
            compiled_.warnings.push_back(std::move(warning));
        for (std::string& warning : run_times_.warnings())
            compiled_.warnings.push_back(std::move(warning));
        worths_.check_given();
        shapes_.settle(plan_, plan_.shape);
        label();
        note_trace();
        note_assumptions();
        compiled_.trained = work_.take_trained();
        note_training(scenario_, compiled_);
    }

  private:
    [[nodiscard]] bool skips_bad_rows() const {
        const auto* trace = std::get_if<TraceWorkload>(&scenario_.workload);
        return trace != nullptr && (*trace)->on_bad_row == OnBadRow::skip;
    }

    void reserve() {
        const std::size_t n = trace_.size();
        plan_.submit_ms.reserve(n);
        plan_.work_ms.reserve(n);
        plan_.shape.reserve(n);
        plan_.job_class.reserve(n);
        plan_.tenant.reserve(n);
        plan_.end.reserve(n);
        if (!trace_.name_end.empty()) {
            compiled_.labels.job_names.reserve(trace_.names.size());
            compiled_.labels.job_name_end.reserve(n);
        }
    }

    /// Row numbers by submit time; equal times keep the order of the file.
    [[nodiscard]] std::vector<std::uint32_t> rows_by_submit() const {
        std::vector<std::uint32_t> rows(trace_.size());
        std::iota(rows.begin(), rows.end(), 0U);
        if (!std::is_sorted(trace_.submit_ms.begin(), trace_.submit_ms.end())) {
            std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
                return trace_.submit_ms[a] < trace_.submit_ms[b];
            });
        }
        return rows;
    }

    void add(std::uint32_t row) {
        const std::uint16_t job_class = rules_.class_of(row);
        ++jobs_of_class_[job_class];
        std::uint64_t permitted = rules_.permitted_pools(row, job_class);
        if (permitted == 0)
            return leave_out(row,
                             trace_.gpu_types.empty() ? "its class permits no pool with nodes"
                                                      : unknown_types(row),
                             trace_.gpu_types.empty()
                                 ? "a pool that has nodes"
                                 : "a pool of that GPU, by a name of `bursar catalog`; in csv "
                                   "`columns: {gpus: gpus}` lets jobs run on any");
        JobShape shape = demands_.of(row, job_class);
        if (shape.gpus == 0 && shape.cpu_milli == 0 && shape.memory_mib == 0)
            return leave_out(row,
                             "no pool has `cpu` or `memory`",
                             "`cpu` or `memory` of a pool, or `select: {gpus: 1..}`");
        if ((permitted & pools_that_hold(plan_, shape)) == 0)
            return leave_out(
                row, largest_permitted(permitted), "a larger pool, or `select: {gpus: ..N}`");
        const JobPlace place = places_.place_of(job_class);
        shape.required_level = place.required;
        shape.preferred_level = place.preferred;
        if (place.required_name != nullptr) {
            const std::uint64_t all = permitted;
            permitted &= places_.pools_with(place, shape.gpus) & pools_that_hold(plan_, shape);
            if (permitted == 0)
                return leave_out(row, too_narrow(place, all), "a wider level, or smaller gangs");
        }
        const std::optional<JobWork> work = work_.of(row, job_class);
        if (!work)
            return;
        if ((permitted & work->permitted) == 0)
            return leave_out(row,
                             work->kind
                                 ? "its type of job was measured to run on no GPU that it may use"
                                 : "its class's model fits no pool that it may use",
                             "");
        const std::uint64_t asked = permitted;
        permitted &= work->permitted;
        const std::uint64_t holding = pools_that_hold(plan_, shape, most_);
        if ((permitted & holding) == 0)
            return leave_out_short_of_nodes(row, permitted & pools_that_hold(plan_, shape));
        if (ends_past_horizon(row, *work))
            return leave_out(
                row, "it would end more than 34.8 years after the first submit", "`until: ...`");
        shape.permitted_pools = permitted;
        const std::optional<std::uint16_t> order = orders_.begin_of(work->plan_class, shape.gpus);
        if (!order)
            return leave_out(row, "more kinds of jobs than there are orders of pools for", "");
        shape.order_begin = *order;
        const std::uint16_t plan_class =
            cadences_.row_of(work->plan_class, job_class, shape.gpus, permitted);
        const std::optional<JobFallback> fallback =
            fallbacks_.split(job_class, plan_.classes[plan_class], holding, shape);
        if (fallback && shape.fallback == 0)
            return leave_out(row, "more than 65,535 jobs with a deadline that may fall back", "");
        const std::optional<std::uint16_t> number = shapes_.number_of(shape);
        if (!number)
            return leave_out(row, "more than 65,536 distinct shapes of jobs", "");
        if (fallback)
            fallbacks_.add(*fallback);
        plan_.submit_ms.push_back(trace_.submit_ms[row]);
        plan_.work_ms.push_back(work->work_ms);
        plan_.shape.push_back(*number);
        plan_.job_class.push_back(plan_class);
        compiled_.scenario_class.resize(plan_.classes.size());
        compiled_.scenario_class[plan_class] = job_class;
        plan_.tenant.push_back(trace_.tenant.empty() ? std::uint16_t{0} : trace_.tenant[row]);
        plan_.end.push_back(trace_.end.empty() ? JobEnd::completed : trace_.end[row]);
        worths_.add(row, job_class, shape);
        estimates_.add(row);
        if (work->kind)
            run_times_.add(*work->kind, asked);
        if (!trace_.name_end.empty()) {
            compiled_.labels.job_names += trace_.name(row);
            compiled_.labels.job_name_end.push_back(compiled_.labels.job_names.size());
        }
    }

    /// Even if it started at once. With an `until` inside the horizon only the submit counts.
    [[nodiscard]] bool ends_past_horizon(std::uint32_t row, const JobWork& work) const {
        const PlanClass& own = plan_.classes[work.plan_class];
        std::int64_t end_ms = trace_.submit_ms[row];
        if (!has_end(scenario_))
            end_ms += own.startup.count() + work.work_ms + own.teardown.count();
        return end_ms >= horizon_ms;
    }

    [[nodiscard]] std::string too_narrow(const JobPlace& place, std::uint64_t permitted) const {
        return fmt::format("its class requires level {}, and the largest {} of the pools it may "
                           "use has {} GPUs",
                           *place.required_name,
                           *place.required_name,
                           places_.largest_group(*place.required_name, permitted));
    }

    [[nodiscard]] std::string unknown_types(std::uint32_t row) const {
        return fmt::format("no pool has a GPU it may use: {}",
                           fmt::join(trace_.gpu_type_sets[trace_.gpu_types[row]], ", "));
    }

    [[nodiscard]] std::string largest_permitted(std::uint64_t permitted) const {
        std::size_t largest = plan_.pools.size();
        for (std::size_t p = 0; p < plan_.pools.size(); ++p) {
            const bool larger = largest == plan_.pools.size() ||
                                plan_.pools[p].num_gpus() > plan_.pools[largest].num_gpus();
            if ((permitted >> p & 1U) != 0 && larger)
                largest = p;
        }
        return fmt::format("the largest pool it may use, \"{}\", has {} node{} of {}",
                           compiled_.labels.pools[largest],
                           plan_.pools[largest].num_nodes,
                           plan_.pools[largest].num_nodes == 1 ? "" : "s",
                           plan_.pools[largest].gpus_per_node);
    }

    /// A job that would fit those pools, which never have so many nodes at one time.
    void leave_out_short_of_nodes(std::uint32_t row, std::uint64_t pools) {
        const Finding finding = short_of_nodes(most_nodes_, plan_, compiled_.labels, pools);
        leave_out(row, finding.why, finding.suggestion, finding.suggestion);
    }

    /// if_drawn: what to suggest instead where the workload is synthetic.
    void leave_out(std::uint32_t row,
                   std::string why,
                   std::string suggestion,
                   const std::string& if_drawn =
                       "a larger pool, or a smaller `gpus` of the synthetic workload") {
        ++num_left_out_;
        Finding finding = mistake(fmt::format("a job of {} GPU{} can never run",
                                              trace_.gpus[row],
                                              trace_.gpus[row] == 1 ? "" : "s"),
                                  std::move(why),
                                  std::move(suggestion));
        std::string cause = finding.why;
        if (const auto* trace = std::get_if<TraceWorkload>(&scenario_.workload)) {
            finding.place = {(*trace)->file, trace_.line.empty() ? 0 : trace_.line[row], 0};
        } else if (const std::optional<ListedRow> listed = listed_.at(row)) {
            if (!listed->is_first)
                return;
            finding.place = listed->job->place;
            finding.path = listed->path();
            cause = finding.path; // each entry is told: it is where somebody mends it
        } else {                  // drawn: it stands on no line
            finding.place = std::get<SyntheticSpec>(scenario_.workload).place;
            finding.path = "workload.synthetic";
            finding.suggestion = if_drawn;
        }
        left_out_.add(std::move(finding), cause);
    }

    void report_left_out() {
        work_.throw_if_wrong(); // what a class or a list says is never skipped
        if (num_left_out_ > 0 && !skips_bad_rows()) {
            std::vector<Finding> told = left_out_.told();
            if (const std::uint64_t rest = left_out_.num_untold(); rest > 0) {
                told.push_back(mistake(fmt::format("{} more jobs can never run", rest)));
                told.back().place.file = told.front().place.file;
            }
            throw ScenarioError{std::move(told)};
        }
        std::vector<std::string> rows;
        for (const Finding& finding : left_out_.told())
            rows.push_back(finding.text());
        if (left_out_.num_untold() > 0)
            rows.push_back(fmt::format("... and {} more jobs", left_out_.num_untold()));
        list_left_out("jobs skipped because no pool can hold them", num_left_out_, rows);
        list_left_out("bad rows skipped", trace_.num_bad_rows, trace_.bad_rows);
        if (plan_.num_jobs() == 0) {
            fail_input({scenario_.file, 0, 0},
                       "workload",
                       mistake("no job is left to run", "every row was skipped", "widen `select`"));
        }
    }

    /// Nothing is left out silently: the count, and each cause at its first row.
    void list_left_out(std::string_view what,
                       std::uint64_t count,
                       const std::vector<std::string>& rows) {
        if (count == 0)
            return;
        compiled_.warnings.push_back(fmt::format("{} {}", count, what));
        compiled_.warnings.insert(compiled_.warnings.end(), rows.begin(), rows.end());
    }

    void label() {
        compiled_.labels.tenants = trace_.tenants;
        if (compiled_.labels.tenants.empty())
            compiled_.labels.tenants.emplace_back("all");
        compiled_.labels.zero_utc_ms = trace_.zero_utc_ms;
    }

    void note_trace() {
        if (!std::holds_alternative<TraceWorkload>(scenario_.workload))
            return;
        compiled_.trace_notes.push_back(fmt::format("{} rows read as {}, {} not selected",
                                                    trace_.num_rows_read,
                                                    trace_.format,
                                                    trace_.num_not_selected));
        append(trace_.notes, compiled_.trace_notes);
    }

    void note_assumptions() {
        compiled_.decisive = run_times_.assumed();
        append(trace_.assumed, compiled_.assumed);
        append(cadences_.assumed(), compiled_.assumed);
        append(demands_.assumed(), compiled_.assumed);
        append(estimates_.assumed(), compiled_.assumed);
        append(fallbacks_.assumed(), compiled_.assumed);
    }

    const Scenario& scenario_;
    const LocalityPlan& places_;
    const Trace& trace_;
    Compiled& compiled_;
    Plan& plan_;
    JobRules rules_;
    JobDemands demands_;
    ListedRows listed_;
    ShapeTable shapes_;
    RunKinds kinds_;
    GpuSpeeds gpu_speeds_;
    JobWorks work_;
    Cadences cadences_;
    JobWorths worths_;
    JobEstimates estimates_;
    RunTimeNotes run_times_;
    OrderRows orders_;
    JobFallbacks fallbacks_;
    std::vector<MostNodes> most_nodes_; ///< by pool, as the next one
    std::vector<std::uint32_t> most_;
    AlikeFindings left_out_;
    std::uint64_t num_left_out_{};
    std::vector<std::uint64_t> jobs_of_class_; ///< rows by class, those left out included
};

} // namespace

Compiled compile(const Scenario& scenario, const Catalogue& catalogue, const Trace& trace) {
    check_cluster_format(scenario, catalogue);
    Compiled compiled;
    plan_fleet(scenario, compiled.plan, compiled.labels);
    plan_provisioning(scenario, compiled.plan);
    EnergyNotes energy = plan_energy(scenario, catalogue, trace.zero_utc_ms, compiled.plan);
    compiled.grids = std::move(energy.grids);
    plan_regions(scenario, compiled.plan);
    const LocalityPlan places{scenario, catalogue, compiled.plan, compiled.labels};
    JobCompiler{scenario, catalogue, places, trace, compiled}.compile();
    append(later_formats(scenario, catalogue), compiled.assumed);
    plan_stragglers(scenario, compiled);
    plan_job_failures(scenario, catalogue, compiled);
    plan_egress(scenario, compiled.scenario_class, compiled.plan);
    compiled.plan.until = end_of_run(scenario, compiled.plan);
    compiled.plan.measure_from = scenario.measure_from;
    compiled.plan.measure_to = scenario.measure_to;
    const Duration drawn_until = compiled.plan.until.value_or(first_horizon(compiled.plan));
    if (has_world(scenario) || draws_prices(scenario))
        compiled.drawn_until = drawn_until;
    plan_prices(scenario, trace.zero_utc_ms, drawn_until, compiled.plan);
    if (has_world(scenario)) {
        compiled.plan.world =
            world_events(scenario, compiled.plan, compiled.labels.zero_utc_ms, drawn_until);
        set_first_nodes(scenario, compiled.plan);
    }
    append(foreseen(scenario, compiled), compiled.warnings);
    plan_gang_risks(scenario, trace.zero_utc_ms, drawn_until, compiled.plan);
    plan_broker(scenario, compiled.plan);
    append(world_warnings(scenario, compiled.plan.until), compiled.warnings);
    append(world_notes(scenario, compiled.labels.zero_utc_ms), compiled.assumed);
    append(energy.assumed, compiled.assumed);
    compiled.unmodelled = std::move(energy.unmodelled);
    append(energy.warnings, compiled.warnings);
    return compiled;
}

} // namespace bursar::inline scenarios
