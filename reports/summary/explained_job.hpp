#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "reports/document/document.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// The job with that `job_id` of jobs.csv.
[[nodiscard]] std::optional<std::size_t> find_job(const JobColumns& jobs, std::string_view job_id);

/// The life of a job, its attempts, and its time in the queue by reason, whose hours add up.
[[nodiscard]] Document explained_job(const Result& result, std::size_t job);

}} // namespace bursar::reports
