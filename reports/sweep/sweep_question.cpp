#include "reports/sweep/sweep_question.hpp"

#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {

SweepQuestion usual_question() {
    return {{find_metric("cost.total"), find_metric("wait.p90")}};
}

}} // namespace bursar::reports
