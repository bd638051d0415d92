#pragma once

#include <string>

#include "models/units/units.hpp"

namespace bursar { inline namespace scenarios {

/// How jobs of a class fail by themselves: key `failures`.
struct JobFailureSpec {
    std::string like;      ///< an entry of `bursar catalog failures`; empty: the rates below
    double per_job_hour{}; ///< for each hour that a job holds its GPUs
    double per_gpu_hour{}; ///< likewise, for each GPU of its gang
    Duration detect{};     ///< how long its GPUs are held until that is noticed
};

}} // namespace bursar::scenarios
