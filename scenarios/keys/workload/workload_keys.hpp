#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/known_names.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of `workload`: the source of the jobs and their classes.
/// catalogue: outlives them.
Table<Scenario> workload_keys(const KnownNames& names, const Catalogue& catalogue);

inline constexpr std::int64_t max_jobs = 1'000'000'000; ///< drawn or listed

/// The keys of a listed job.
[[nodiscard]] Table<ListedJob> listed_job_keys();

inline constexpr std::int64_t max_trials = 10'000; ///< of an entry

/// The keys of `trials` of a listed job: how some of its jobs are stopped before their end.
[[nodiscard]] Table<TrialsSpec> trials_keys();

/// The rules between it and the other keys of the job. at: the job.
void check_trials(const Reader& at, const ListedJob& job);

/// Reports too many jobs, and jobs that wait for unknown ones or for each other. at: the workload.
void check_listed_jobs(const Reader& at, const JobList& list);

/// The keys of a workload about its run times: the GPU and format that they were measured with, and
/// the speeds on other GPUs. catalogue: outlives them.
[[nodiscard]] std::vector<Key<Scenario>> run_times_keys(const Catalogue& catalogue);

/// The keys of a class about training.
std::vector<Key<ClassSpec>> training_keys(const KnownNames& names);

/// Checks across those keys, whose names are `training`, and notes the place of each.
void check_training(const Reader& at,
                    ClassSpec& spec,
                    const KeysRead& keys,
                    std::span<const std::string> training);

/// The keys of a class about the cost of a preemption: `checkpoint` and `restart`.
std::vector<Key<ClassSpec>> checkpoint_keys();

/// The keys of a class about the locality of its gangs: `locality` and `slowdown`.
std::vector<Key<ClassSpec>> locality_keys();

/// The rules between them and the other keys of a class. at: the class.
void check_locality(const Reader& at);

/// The key `elastic` of a class: numbers of GPUs that its jobs may have.
[[nodiscard]] Key<ClassSpec> elastic_key();

/// The rules between it and the other keys of a class. at: the class.
void check_elastic(const Reader& at, const ClassSpec& spec);

/// The key `speed` of a class: speed of its jobs by GPU. catalogue: outlives it.
[[nodiscard]] Key<ClassSpec> speed_key(const Catalogue& catalogue);

/// The key `job_type` of a class: its rows in the measured throughputs.
[[nodiscard]] Key<ClassSpec> job_type_key();

/// Reports `speed` of a class with a model: the model gives its speeds. at: the class.
void check_speed(const Reader& at);

/// The keys of a class about number formats: `precision` and `forbid`.
[[nodiscard]] std::vector<Key<ClassSpec>> precision_keys();

/// Reports a class with a format that it forbids. at: the class.
void check_precision(const Reader& at, const ClassSpec& spec, const KeysRead& keys);

/// The keys of a class about failures of its jobs: `failures`, `overflow_restarts`.
[[nodiscard]] std::vector<Key<ClassSpec>> job_failure_keys();

/// The keys of a class about importance: `priority`, `deadline`, `value`.
std::vector<Key<ClassSpec>> worth_keys();

/// A row of `tenants`.
Table<TenantSpec> tenant_keys();

/// `shares`: the tenants' weights.
Key<Scenario> shares_key();

}} // namespace bursar::scenarios
