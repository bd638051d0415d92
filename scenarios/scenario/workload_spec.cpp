#include "scenarios/scenario/workload_spec.hpp"

#include <utility>

#include "scenarios/traces/trace_options.hpp"

namespace bursar { inline namespace scenarios {

TraceWorkload::TraceWorkload() : TraceWorkload{TraceOptions{}} {}

TraceWorkload::TraceWorkload(TraceOptions options)
    : options_{std::make_shared<const TraceOptions>(std::move(options))} {}

bool TraceWorkload::is_resampled() const {
    return options_->resample > Duration{};
}

bool TraceWorkload::operator==(const TraceWorkload& other) const {
    return *options_ == *other.options_;
}

}} // namespace bursar::scenarios
