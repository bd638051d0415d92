#pragma once

#include <span>
#include <string>
#include <vector>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/known_names.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of `workload`: where the jobs come from and what classes they fall into.
/// catalogue: outlives them.
Table<Scenario> workload_keys(const KnownNames& names, const Catalogue& catalogue);

/// The keys of a workload that say on what its run times were measured, and what is known of other
/// GPUs. catalogue: outlives them.
[[nodiscard]] std::vector<Key<Scenario>> run_times_keys(const Catalogue& catalogue);

/// The keys of a class that say what its jobs train and how.
std::vector<Key<ClassSpec>> training_keys(const KnownNames& names);

/// Rules between those keys, whose names are `training`; notes where each was written.
void check_training(const Reader& at,
                    ClassSpec& spec,
                    const KeysRead& keys,
                    std::span<const std::string> training);

/// The keys of a job class that say what a preemption costs: `checkpoint` and `restart`.
std::vector<Key<ClassSpec>> checkpoint_keys();

/// The keys of a class that speak of where its gangs sit: `locality` and `slowdown`.
std::vector<Key<ClassSpec>> locality_keys();

/// The rules between them and the other keys of a class. at: the class.
void check_locality(const Reader& at);

/// The key of a class that says how fast its jobs run on other GPUs. catalogue: outlives it.
[[nodiscard]] Key<ClassSpec> speed_key(const Catalogue& catalogue);

/// The key of a class that says which measured throughputs its jobs have.
[[nodiscard]] Key<ClassSpec> job_type_key();

/// Speeds are of given run times; a model has its own. at: the class.
void check_speed(const Reader& at);

/// The keys of a class that say in what number format its jobs may multiply.
[[nodiscard]] std::vector<Key<ClassSpec>> precision_keys();

/// A class cannot have the format that it forbids. at: the class.
void check_precision(const Reader& at, const ClassSpec& spec, const KeysRead& keys);

/// How jobs of a class fail by themselves: `failures`, `overflow_restarts`.
[[nodiscard]] std::vector<Key<ClassSpec>> job_failure_keys();

/// The keys of a class that say how much its jobs matter: priority, deadline, value.
std::vector<Key<ClassSpec>> worth_keys();

/// `shares`: the tenants' weights.
Key<Scenario> shares_key();

}} // namespace bursar::scenarios
