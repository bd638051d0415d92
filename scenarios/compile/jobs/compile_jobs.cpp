#include "scenarios/compile/jobs/compile_jobs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/engine/nodes/ideal_run.hpp"
#include "sim/plan/broker_rules.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"

#include "policies/choice/policy_slots.hpp"

#include "scenarios/compile/features/broker.hpp"
#include "scenarios/compile/features/most_nodes.hpp"
#include "scenarios/compile/jobs/cadences.hpp"
#include "scenarios/compile/jobs/elastic_forms.hpp"
#include "scenarios/compile/jobs/job_demands.hpp"
#include "scenarios/compile/jobs/job_estimates.hpp"
#include "scenarios/compile/jobs/job_needs.hpp"
#include "scenarios/compile/jobs/job_rules.hpp"
#include "scenarios/compile/jobs/job_works.hpp"
#include "scenarios/compile/jobs/job_worths.hpp"
#include "scenarios/compile/jobs/late_jobs.hpp"
#include "scenarios/compile/jobs/left_out_jobs.hpp"
#include "scenarios/compile/jobs/listed_jobs.hpp"
#include "scenarios/compile/jobs/shape_table.hpp"
#include "scenarios/compile/jobs/shared_gpus.hpp"
#include "scenarios/compile/jobs/training_notes.hpp"
#include "scenarios/compile/speeds/gpu_speeds.hpp"
#include "scenarios/compile/speeds/run_kind.hpp"
#include "scenarios/compile/speeds/run_time_notes.hpp"
#include "scenarios/scenario/policy_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The plan's columns for a row of a workload, except those that differ in every row: times,
/// tenant, end, worth.
struct RowPlan {
    JobShape shape;
    std::uint16_t shape_number{};    ///< as ShapeTable numbers it
    std::uint16_t plan_class{};      ///< its row of Plan::classes
    JobWork work;                    ///< of the first such row: one with a run time has its own
    std::uint64_t candidate_pools{}; ///< pools that it may use if each can do its work; as bits
    std::optional<JobFallback> fallback{}; ///< of the row itself
};

/// Plans of rows by their kind (RowKinds) and class. Thousands of rows of a trace are alike, and
/// only the first of a kind is compiled.
class RowPlans {
  public:
    /// num_classes: >= 1.
    RowPlans(std::size_t num_kinds, std::size_t num_classes)
        : num_classes_{num_classes}, places_(num_kinds * num_classes) {}

    /// Null if no such row was added.
    [[nodiscard]] const RowPlan* find(std::uint32_t kind, std::uint16_t job_class) const {
        const std::uint32_t place = places_[kind * num_classes_ + job_class];
        return place == 0 ? nullptr : &plans_[place - 1];
    }

    void add(std::uint32_t kind, std::uint16_t job_class, const RowPlan& plan) {
        plans_.push_back(plan);
        places_[kind * num_classes_ + job_class] = static_cast<std::uint32_t>(plans_.size());
    }

  private:
    std::size_t num_classes_;
    std::vector<std::uint32_t> places_; ///< 1 + index of a plan; 0: none
    std::vector<RowPlan> plans_;
};

/// Most entries of RowPlans, a few bytes each. With more kinds and classes, each row is compiled
/// separately.
constexpr std::size_t max_row_plans = 1U << 20U;

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
          demands_{scenario, trace_, plan_}, listed_{scenario, trace},
          kinds_{scenario, catalogue, trace_}, gpu_speeds_{scenario, catalogue, kinds_},
          work_{scenario, catalogue, trace_, rules_, listed_, places, kinds_, gpu_speeds_, plan_},
          cadences_{scenario, catalogue, trace.zero_utc_ms, plan_},
          worths_{scenario, trace_, plan_}, estimates_{scenario, trace_, plan_},
          needs_{scenario, trace_}, run_times_{scenario, kinds_, gpu_speeds_},
          orders_{scenario, plan_}, shared_gpus_{scenario}, fallbacks_{scenario, plan_},
          most_nodes_{most_nodes(scenario, plan_, trace.zero_utc_ms)} {
        for (const MostNodes& most : most_nodes_)
            most_.push_back(most.nodes);
        left_out_.emplace(scenario, trace_, listed_);
        if (std::holds_alternative<JobList>(scenario.workload) || kinds_.by_name() ||
            fallbacks_.may_split() || !trace.checkpoint_ms.empty())
            return;
        row_kinds_ = trace.kinds ? trace.kinds : std::make_shared<const RowKinds>(trace);
        const std::size_t num_kinds = row_kinds_->kinds().size();
        const std::size_t num_classes = std::max<std::size_t>(1, scenario.classes.size());
        if (num_kinds <= max_row_plans / num_classes)
            row_plans_.emplace(num_kinds, num_classes);
    }

    void compile() {
        plan_.classes = plan_classes(scenario_);
        jobs_of_class_.resize(plan_.classes.size());
        plan_.num_tenants =
            static_cast<std::uint32_t>(std::max<std::size_t>(1, trace_.tenants.size()));
        if (!add_by_kind())
            add_by_row();
        work_.throw_if_wrong(); // mistakes of a class or a list are never skipped
        compiled_.notes.add({.warnings = left_out_->warnings(plan_.num_jobs())});
        shapes_.settle(plan_);
        shared_gpus_.put(compiled_);
        reject_late_jobs(scenario_, compiled_);
        needs_.fill(plan_);
        compiled_.notes.add({.warnings = needs_.warnings()});
        compiled_.notes.add({.warnings = idle_matches(scenario_, trace_, jobs_of_class_)});
        compiled_.notes.add({.warnings = run_times_.warnings()});
        warn_of_elastic();
        worths_.check_given();
        label();
        note_trace();
        note_assumptions();
        compiled_.trained = work_.take_trained();
        note_training(scenario_, compiled_);
    }

  private:
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

    void add_by_row() {
        reserve();
        for (const std::uint32_t row : rows_by_submit())
            add(row);
    }

    /// Compiles one row of each kind and copies its columns, if rows of a kind differ in nothing
    /// else. False: nothing was added, and rows must be compiled one by one.
    bool add_by_kind() {
        if (!row_plans_ || !row_kinds_->is_sorted() || !rules_.go_by_kind() || worths_.has_any() ||
            !estimates_.is_exact() || needs_.has_any())
            return false;
        std::vector<RowPlan> plans;
        std::vector<std::uint16_t> classes;
        for (const RowKinds::Kind& kind : row_kinds_->kinds()) {
            classes.push_back(rules_.class_of(kind.first_row));
            const std::optional<RowPlan> plan = plan_of(kind.first_row, classes.back());
            if (!plan || may_end_past_horizon(plan->work)) {
                left_out_.emplace(scenario_, trace_, listed_);
                return false;
            }
            plans.push_back(*plan);
        }
        copy_columns();
        compiled_.scenario_class.resize(plan_.classes.size());
        for (std::size_t kind = 0; kind < plans.size(); ++kind) {
            jobs_of_class_[classes[kind]] += row_kinds_->kinds()[kind].num_rows;
            compiled_.scenario_class[plans[kind].plan_class] = classes[kind];
            if (plans[kind].work.kind)
                run_times_.add(*plans[kind].work.kind, plans[kind].candidate_pools);
        }
        for (std::size_t row = 0; row < trace_.size(); ++row) {
            const RowPlan& plan = plans[row_kinds_->of_rows()[row]];
            plan_.work_ms[row] = work_ms(static_cast<std::uint32_t>(row), plan.work);
            plan_.shape[row] = plan.shape_number;
            plan_.job_class[row] = plan.plan_class;
        }
        return true;
    }

    void copy_columns() {
        const std::size_t n = trace_.size();
        plan_.submit_ms = trace_.submit_ms;
        plan_.work_ms.resize(n);
        plan_.shape.resize(n);
        plan_.job_class.resize(n);
        plan_.tenant = trace_.tenant;
        plan_.tenant.resize(n);
        plan_.end = trace_.end;
        plan_.end.resize(n, JobEnd::completed);
        compiled_.labels.job_names = trace_.names;
        compiled_.labels.job_name_end = trace_.name_end;
    }

    void add(std::uint32_t row) {
        const std::uint16_t job_class = rules_.class_of(row);
        ++jobs_of_class_[job_class];
        const RowPlan* known =
            row_plans_ ? row_plans_->find(row_kinds_->of_rows()[row], job_class) : nullptr;
        if (known != nullptr && !ends_past_horizon(row, known->work))
            return add_job(row, job_class, *known);
        const std::optional<RowPlan> plan = plan_of(row, job_class);
        if (!plan)
            return;
        add_job(row, job_class, *plan);
        if (plan->work.kind)
            run_times_.add(*plan->work.kind, plan->candidate_pools);
        if (row_plans_)
            row_plans_->add(row_kinds_->of_rows()[row], job_class, *plan);
    }

    /// Columns of a row in the plan; nothing if the row is left out.
    [[nodiscard]] std::optional<RowPlan> plan_of(std::uint32_t row, std::uint16_t job_class) {
        RowPlan plan;
        std::uint64_t permitted = rules_.permitted_pools(row, job_class);
        if (permitted == 0)
            return leave_out(row,
                             trace_.gpu_types.empty() ? "its class permits no pool with nodes"
                                                      : unknown_types(row),
                             trace_.gpu_types.empty()
                                 ? "a pool that has nodes"
                                 : "a pool of that GPU, by a name of `bursar catalog`; in csv "
                                   "`columns: {gpus: gpus}` lets jobs run on any");
        JobShape& shape = plan.shape;
        shape = demands_.of(row, job_class);
        if (shape.gpus == 0 && shape.cpu_milli == 0 && shape.memory_mib == 0)
            return leave_out(row,
                             "no pool has `cpu` or `memory`",
                             "`cpu` or `memory` of a pool, or `select: {gpus: 1..}`");
        if ((permitted & pools_that_hold(plan_, shape)) == 0)
            return leave_out(row,
                             largest_permitted(plan_, compiled_.labels, permitted),
                             "a larger pool, or `select: {gpus: ..N}`");
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
            return std::nullopt;
        plan.work = *work;
        if ((permitted & work->permitted) == 0)
            return leave_out(row,
                             work->kind
                                 ? "its type of job was measured to run on no GPU that it may use"
                                 : "its class's model fits no pool that it may use",
                             "");
        plan.candidate_pools = permitted;
        permitted &= work->permitted;
        const std::uint64_t holding = pools_that_hold(plan_, shape, most_);
        if ((permitted & holding) == 0)
            return leave_out_short_of_nodes(row, permitted & pools_that_hold(plan_, shape));
        if (ends_past_horizon(row, *work))
            return leave_out(
                row, "it would end more than 34.8 years after the first submit", "`until: ...`");
        shape.permitted_pools = permitted;
        return with_rows(row, job_class, holding, plan);
    }

    /// Adds the row's entries to the plan's tables. This is the last step that can leave a row out.
    [[nodiscard]] std::optional<RowPlan>
    with_rows(std::uint32_t row, std::uint16_t job_class, std::uint64_t holding, RowPlan plan) {
        const Duration own_interval{trace_.checkpoint_ms.empty() ? 0 : trace_.checkpoint_ms[row]};
        if (own_interval > Duration{} && !scenario_.classes.empty())
            if (const auto& saves = scenario_.classes[job_class].checkpoint;
                saves && saves->write > saves->save + own_interval)
                return leave_out(
                    row,
                    fmt::format("its time between saves is too short: each is written "
                                "for {} behind the work",
                                duration_text(saves->write)),
                    fmt::format("at least {}", duration_text(saves->write - saves->save)));
        JobShape& shape = plan.shape;
        const std::optional<std::uint16_t> order =
            orders_.begin_of(plan.work.plan_class, shape.gpus);
        if (!order)
            return leave_out(row, "more kinds of jobs than there are orders of pools for", "");
        shape.order_begin = *order;
        plan.plan_class = saving_class(row, job_class, plan.work.plan_class, shape);
        plan.fallback = fallbacks_.split(worths_.deadline_of(row, job_class).has_value(),
                                         plan_.classes[plan.plan_class],
                                         holding,
                                         shape);
        if (plan.fallback && shape.fallback == 0)
            return leave_out(row, "more than 65,535 jobs with a deadline that may fall back", "");
        const std::optional<std::uint16_t> number = shapes_.number_of(shape);
        if (!number)
            return leave_out(row, "more than 65,536 distinct shapes of jobs", "");
        plan.shape_number = *number;
        const bool may_resize =
            !plan.fallback && shape.gpus > 0 && shape.gpu_slots == slots_per_gpu;
        if (!scenario_.classes.empty() && scenario_.classes[job_class].elastic && may_resize)
            plan.plan_class = elastic_class(row, job_class, plan);
        return plan;
    }

    /// The class `plan_class` with the time between saves of the row, or of a gang of that shape.
    std::uint16_t saving_class(std::uint32_t row,
                               std::uint16_t job_class,
                               std::uint16_t plan_class,
                               const JobShape& shape) {
        if (!trace_.checkpoint_ms.empty() && trace_.checkpoint_ms[row] > 0)
            return cadences_.row_every(plan_class, job_class, Duration{trace_.checkpoint_ms[row]});
        return cadences_.row_of(plan_class, job_class, shape.gpus, shape.permitted_pools);
    }

    /// The class of jobs of that plan, with its forms.
    std::uint16_t elastic_class(std::uint32_t row, std::uint16_t job_class, const RowPlan& plan) {
        const auto [known, is_new] = elastic_classes_.try_emplace(
            std::tuple{job_class, plan.plan_class, plan.shape_number}, plan.plan_class);
        if (!is_new)
            return known->second;
        ElasticForms forms{scenario_.classes[job_class], plan.shape};
        for (const std::uint32_t gpus : scenario_.classes[job_class].elastic->gpus) {
            if (gpus == plan.shape.gpus) {
                forms.add({plan.shape,
                           plan.shape_number,
                           plan.plan_class,
                           plan.work.kind ? 0 : plan.work.work_ms});
                continue;
            }
            JobShape shape = JobDemands::with_gpus(plan.shape, gpus);
            const JobPlace place = places_.place_of(job_class);
            shape.permitted_pools &= pools_that_hold(plan_, shape, most_);
            if (place.required_name != nullptr)
                shape.permitted_pools &= places_.pools_with(place, gpus);
            if (shape.permitted_pools == 0)
                continue;
            const std::optional<JobWork> work = work_.with_gpus(row, job_class, gpus);
            shape.permitted_pools &= work ? work->permitted : 0;
            const std::optional<std::uint16_t> number =
                shape.permitted_pools == 0 ? std::nullopt : shapes_.number_of(shape);
            if (number)
                forms.add({shape,
                           *number,
                           saving_class(row, job_class, work->plan_class, shape),
                           work->kind ? 0 : work->work_ms});
        }
        known->second = forms.put(plan_, plan.plan_class);
        compiled_.scenario_class.resize(plan_.classes.size(), job_class);
        return known->second;
    }

    void add_job(std::uint32_t row, std::uint16_t job_class, const RowPlan& plan) {
        if (plan.fallback)
            fallbacks_.add(*plan.fallback);
        plan_.submit_ms.push_back(trace_.submit_ms[row]);
        plan_.work_ms.push_back(work_ms(row, plan.work));
        plan_.shape.push_back(plan.shape_number);
        plan_.job_class.push_back(plan.plan_class);
        compiled_.scenario_class.resize(plan_.classes.size());
        compiled_.scenario_class[plan.plan_class] = job_class;
        plan_.tenant.push_back(trace_.tenant.empty() ? std::uint16_t{0} : trace_.tenant[row]);
        plan_.end.push_back(trace_.end.empty() ? JobEnd::completed : trace_.end[row]);
        worths_.add(row, job_class, plan.shape);
        shared_gpus_.add(plan.work.kind ? &*plan.work.kind : nullptr);
        estimates_.add(row);
        needs_.add(row, plan_);
        if (!trace_.spared_gpu_ms.empty())
            compiled_.labels.spared_gpu_ms.push_back(trace_.spared_gpu_ms[row]);
        if (!trace_.name_end.empty()) {
            compiled_.labels.job_names += trace_.name(row);
            compiled_.labels.job_name_end.push_back(compiled_.labels.job_names.size());
        }
    }

    /// The run time of the row. A class with a model takes the same time for all gangs of a size.
    [[nodiscard]] std::int64_t work_ms(std::uint32_t row, const JobWork& work) const {
        return work.kind ? trace_.duration_ms[row] : work.work_ms;
    }

    /// Whether the job would end past the horizon if it started at once. With an `until` inside the
    /// horizon only the submit counts.
    [[nodiscard]] bool ends_past_horizon(std::uint32_t row, const JobWork& work) const {
        const PlanClass& own = plan_.classes[work.plan_class];
        std::int64_t end_ms = trace_.submit_ms[row];
        if (!has_end(scenario_))
            end_ms += own.startup.count() + work_ms(row, work) + own.teardown.count();
        return end_ms >= horizon_ms;
    }

    /// The same for every row with that work, by the longest row.
    [[nodiscard]] bool may_end_past_horizon(const JobWork& work) const {
        const PlanClass& own = plan_.classes[work.plan_class];
        const std::int64_t longest = std::max(work.work_ms, row_kinds_->max_duration_ms());
        const std::int64_t held =
            has_end(scenario_) ? 0 : own.startup.count() + longest + own.teardown.count();
        return trace_.submit_ms.back() + held >= horizon_ms;
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

    /// Leaves out a job whose pools never have enough nodes at one time.
    std::nullopt_t leave_out_short_of_nodes(std::uint32_t row, std::uint64_t pools) {
        const Finding finding = short_of_nodes(most_nodes_, plan_, compiled_.labels, pools);
        left_out_->add(row, finding.why, finding.suggestion, finding.suggestion);
        return std::nullopt;
    }

    std::nullopt_t leave_out(std::uint32_t row, std::string why, std::string suggestion) {
        left_out_->add(row, std::move(why), std::move(suggestion));
        return std::nullopt;
    }

    void label() {
        compiled_.labels.tenants = trace_.tenants;
        if (compiled_.labels.tenants.empty())
            compiled_.labels.tenants.emplace_back("all");
        compiled_.labels.zero_utc_ms = trace_.zero_utc_ms;
    }

    /// Elastic classes that change nothing, or not all of their jobs.
    void warn_of_elastic() {
        if (std::ranges::none_of(scenario_.classes,
                                 [](const ClassSpec& spec) { return spec.elastic.has_value(); }))
            return;
        const std::string& allocator = scenario_.policy.allocator;
        if (!find_policy("allocator", allocator)->resizes)
            compiled_.notes.warnings.push_back(
                fmt::format("`elastic` of a class changes nothing: allocator {} gives jobs the "
                            "GPUs that they ask for; `optimus`, `edf`, `elasticflow`, `pollux` and "
                            "`sia` give them others",
                            allocator));
        std::vector<std::uint64_t> rigid(scenario_.classes.size());
        for (std::size_t job = 0; job < plan_.num_jobs(); ++job) {
            const std::uint16_t own = compiled_.scenario_class[plan_.job_class[job]];
            if (scenario_.classes[own].elastic &&
                plan_.classes[plan_.job_class[job]].num_forms == 0)
                ++rigid[own];
        }
        for (std::size_t own = 0; own < rigid.size(); ++own)
            if (rigid[own] > 0)
                compiled_.notes.warnings.push_back(fmt::format(
                    "workload.classes[{}].elastic: {} {} not elastic: {} for a number of GPUs "
                    "outside `elastic.gpus`, for the only one that fits, for a part of a GPU, or "
                    "may fall back to other pools",
                    own,
                    rigid[own],
                    rigid[own] == 1 ? "job is" : "jobs are",
                    rigid[own] == 1 ? "it asks" : "they ask"));
    }

    void note_trace() {
        if (!std::holds_alternative<TraceWorkload>(scenario_.workload))
            return;
        compiled_.trace_notes = trace_notes(trace_);
    }

    void note_assumptions() {
        compiled_.notes.add({.decisive = run_times_.assumed(), .assumed = trace_.assumed});
        compiled_.notes.add({.assumed = cadences_.assumed()});
        compiled_.notes.add({.assumed = demands_.assumed()});
        compiled_.notes.add({.assumed = estimates_.assumed()});
        compiled_.notes.add({.assumed = fallbacks_.assumed()});
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
    JobNeeds needs_;
    RunTimeNotes run_times_;
    OrderRows orders_;
    SharedGpus shared_gpus_;
    JobFallbacks fallbacks_;
    std::optional<LeftOutJobs> left_out_; ///< never absent
    /// Both absent if rows of one kind and class may differ in the plan.
    std::shared_ptr<const RowKinds> row_kinds_;
    std::optional<RowPlans> row_plans_;
    std::vector<MostNodes> most_nodes_; ///< by pool, as the next one
    std::vector<std::uint32_t> most_;
    /// By class of the scenario, class of the plan and number of the shape.
    std::map<std::tuple<std::uint16_t, std::uint16_t, std::uint16_t>, std::uint16_t>
        elastic_classes_;
    std::vector<std::uint64_t> jobs_of_class_; ///< rows by class, those left out included
};

} // namespace

void compile_jobs(const Scenario& scenario,
                  const Catalogue& catalogue,
                  const LocalityPlan& places,
                  const Trace& trace,
                  Compiled& compiled) {
    JobCompiler{scenario, catalogue, places, trace, compiled}.compile();
}

}} // namespace bursar::scenarios
