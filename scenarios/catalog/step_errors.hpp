#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/calibration/error_range.hpp"
#include "models/training/job/stack_profile.hpp"
#include "models/training/job/training_job.hpp"

namespace bursar { inline namespace scenarios {

/// The facts of a job that decide how sure its step time is.
[[nodiscard]] AskedStep asked_step(const StackProfile& profile,
                                   bool is_stack_known,
                                   const TrainingJob& job,
                                   std::string_view gpu);

/// Least and most of the rows that a stack was measured on.
struct SizeRange {
    double min{};
    double max{};

    bool operator==(const SizeRange&) const = default;
};

/// What a stack's constants were fitted on: dense transformers.
struct MeasuredStack {
    std::string name;
    std::vector<std::string> gpus; ///< chips: "A100"; sorted
    SizeRange gpu_counts;
    SizeRange parameters;
    SizeRange sequence; ///< tokens

    bool operator==(const MeasuredStack&) const = default;
};

/// A learnt range of truth / prediction, by name.
struct NamedRange {
    std::string name; ///< of a Distance, or layout_range
    double low{1};    ///< > 0
    double high{1};
    std::int64_t rows{};
    std::int64_t sources{};

    bool operator==(const NamedRange&) const = default;
    [[nodiscard]] ErrorRange range() const { return {low, high}; }
};

/// How far step times are from measured ones: scenarios/catalog/step_errors.yaml, which `bursar
/// model validate DIR --errors FILE` writes.
struct StepErrors {
    std::vector<MeasuredStack> stacks;
    std::vector<NamedRange> ranges;

    [[nodiscard]] const NamedRange* find(std::string_view name) const;
};

/// Name of the range of the quotient of two layouts' step times of one job.
inline constexpr std::string_view layout_range = "two-layouts";
inline constexpr std::string_view mixture_layout_range = "two-layouts-mixture";

/// Built into the program.
const StepErrors& builtin_step_errors();

/// The same for a text; messages name `file`. Throws ScenarioError.
StepErrors read_step_errors_text(std::string_view text, const std::string& file);

/// `errors` as a text that read_step_errors_text reads back.
[[nodiscard]] std::string step_errors_yaml(const StepErrors& errors);

/// The chip of a GPU by its catalogue name: "A100" of "A100-SXM4-80GB"; B200 and GB200 are one.
[[nodiscard]] std::string chip_of(std::string_view gpu);

/// How far a job is from measured ones: the farthest that applies. A size is beyond the rows' if it
/// is more than twice the largest, or less than half of the least.
[[nodiscard]] Distance distance_of(const AskedStep& asked, const StepErrors& errors);

/// The 80 % range of a step time.
struct StepError {
    ErrorRange range; ///< of true / modelled step time
    Distance distance{};
    std::string why; ///< for people: "same stack on another GPU: 80 % of 78 rows of 4 sources"
};

/// How sure the step time of a transformer is; every command and scenarios ask here. At a distance
/// that no row was at, the range of the next farther one that has rows. A profile that is not in
/// `errors` and that is named has the range of its held-out error, or that of measured jobs if it
/// is wider. Precondition: `errors` has a range.
[[nodiscard]] StepError step_error(const AskedStep& asked,
                                   const StepErrors& errors = builtin_step_errors());

/// The 80 % range of the quotient of the step times of two layouts of one job, whose errors are
/// mostly the same. Where none was learnt, that of mixtures is the range of a step time.
[[nodiscard]] ErrorRange layout_quotient(bool is_mixture,
                                         const StepErrors& errors = builtin_step_errors());

}} // namespace bursar::scenarios
