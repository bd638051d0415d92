#include "scenarios/compile/jobs/elastic_forms.hpp"

#include <algorithm>
#include <cmath>

#include "scenarios/compile/speeds/plan_speed.hpp"

namespace bursar { inline namespace scenarios {

PlanSpeed
ElasticForms::speed_of(const Form& form, const Form& asked, const PlanSpeed& rigid) const {
    PlanSpeed out = rigid;
    const auto scale = [&](double factor) {
        out.speed =
            std::max<std::int64_t>(1, std::llround(static_cast<double>(rigid.speed) * factor));
    };
    if (form.work_ms > 0) {
        scale(static_cast<double>(asked.work_ms) / static_cast<double>(form.work_ms));
        return out;
    }
    const ElasticSpec& elastic = *spec_.elastic;
    const auto per_gpu = [&](const Form& one) {
        return elastic.speedup(one.shape.gpus) / one.shape.gpus;
    };
    scale(elastic.speedup(form.shape.gpus) / elastic.speedup(asked.shape.gpus));
    const double most = per_gpu(std::ranges::max(forms_, {}, per_gpu));
    const std::int64_t working = form.shape.slots() - rigid.all_stalled_slots();
    out.stalled_slots[static_cast<std::size_t>(Stall::communication)] +=
        std::llround(static_cast<double>(working) * (1 - per_gpu(form) / most));
    return out;
}

std::uint16_t ElasticForms::put(Plan& plan, std::uint16_t plan_class) const {
    const auto asked =
        std::ranges::find(forms_, asked_.gpus, [](const Form& form) { return form.shape.gpus; });
    if (asked == forms_.end() || forms_.size() < 2)
        return plan_class;
    const std::size_t row = plan.pools.size() * plan.num_levels;
    std::uint16_t own = plan_class;
    const auto begin = static_cast<std::uint32_t>(plan.forms.size());
    for (const Form& form : forms_) {
        std::vector<PlanSpeed> speeds(row);
        const std::uint16_t rigid = plan.classes[form.plan_class].speed_row;
        for (std::size_t at = 0; at < row; ++at)
            speeds[at] = speed_of(
                form, *asked, rigid == 0 ? PlanSpeed{} : plan.speeds[(rigid - 1U) * row + at]);
        const std::uint16_t added = add_class_row(plan, form.plan_class, speeds, spec_.place);
        plan.forms.push_back({form.shape_number, added});
        if (form.shape.gpus == asked_.gpus)
            own = added;
    }
    PlanClass& jobs = plan.classes[own];
    jobs.form_begin = begin;
    jobs.num_forms = static_cast<std::uint32_t>(forms_.size());
    jobs.is_moldable = spec_.elastic->moldable;
    jobs.rescale = spec_.elastic->rescale.value_or(jobs.recovery);
    for (std::uint32_t form = begin; form < plan.forms.size(); ++form)
        plan.classes[plan.forms[form].job_class].rescale = jobs.rescale;
    return own;
}

}} // namespace bursar::scenarios
