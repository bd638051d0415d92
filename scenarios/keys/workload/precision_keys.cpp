#include <algorithm>

#include <fmt/format.h>

#include "models/gpu/gpu.hpp"

#include "scenarios/keys/workload/workload_keys.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

ChoiceRule<Precision> format() {
    return choice_of<Precision>(precision_names);
}

} // namespace

std::vector<Key<ClassSpec>> precision_keys() {
    return {
        {optional("precision", within(&ClassSpec::training, &TrainingSpec::precision), format()),
         "number format that its jobs multiply in, whatever policy.precision says; default: "
         "what that says"},
        {optional("forbid", &ClassSpec::forbidden, one_or_list_of(format())),
         "formats that policy.precision may not give its jobs; default none"},
    };
}

void check_precision(const Reader& at, const ClassSpec& spec, const KeysRead& keys) {
    if (!keys.good("forbid") || !keys.good("precision"))
        return;
    const auto forbids = [&](Precision format) {
        return std::ranges::find(spec.forbidden, format) != spec.forbidden.end();
    };
    if (forbids(Precision::fp32))
        at.mistake_at(
            "forbid", "fp32 cannot be forbidden", "it is what is left without the others");
    else if (spec.training.precision && forbids(*spec.training.precision))
        at.mistake_at(
            "forbid",
            fmt::format("{} is the precision of the class", name(*spec.training.precision)),
            "",
            "leave one of the two out");
}

}} // namespace bursar::scenarios
