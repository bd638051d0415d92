#pragma once

#include "reports/answer/answer.hpp"

#include "tools/model/options/job_options.hpp"

namespace bursar { inline namespace tools {

/// What a transformer's job is and how it is laid out, under the key "job".
AnswerSection job_section(const JobQuestion& asked);

}} // namespace bursar::tools
