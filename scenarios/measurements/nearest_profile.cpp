#include "scenarios/measurements/nearest_profile.hpp"

#include <cassert>

#include "scenarios/catalog/choose_stack.hpp"
#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {

const StackProfile& nearest_profile(std::string_view framework,
                                    const TrainingJob& job,
                                    const Gpu& gpu,
                                    const Stacks& stacks,
                                    Assumptions& assumptions) {
    assert(!stacks.all.empty());
    if (const StackProfile* own = stacks.for_framework(framework))
        return *own;
    const std::string words = lower_case(framework);
    StackClues clues = clues_of(job, gpu);
    clues.framework = words;
    const StackProfile* nearest = choose_stack(stacks, clues).profile;
    assumptions.push_back("profile: " + nearest->name + " as the nearest to " +
                          (framework.empty() ? "an unnamed stack" : std::string{framework}));
    return *nearest;
}

}} // namespace bursar::scenarios
