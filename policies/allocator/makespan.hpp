#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "policies/allocator/fraction_program.hpp"
#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// Minimises the time in which all jobs present end.
struct Makespan {
    static constexpr std::string_view name = "makespan";
    static constexpr std::string_view summary =
        "time on pools so that the last of the jobs that are present ends as early as it can";
    static constexpr std::string_view cost = "per computation: two linear programs of jobs * pools";
    static constexpr std::string_view source =
        "Narayanan et al., OSDI 2020 (Gavel, minimum makespan; min_total_duration in its code)";
    static constexpr bool needs_run_times = true;
    static constexpr bool needs_rounds = true;
    static constexpr OptionInfo options[]{recompute_option};

    static std::unique_ptr<Allocator> from(const PolicyOptions& given) {
        return std::make_unique<Decider>(given.value(recompute_option));
    }

  private:
    class Decider : public SolverAllocator {
        using SolverAllocator::SolverAllocator;

        /// The time may be longer by this part than the least one, so that jobs that do not decide
        /// it get a share near to equal: half of what Gavel's bisection leaves (5 %).
        static constexpr double relaxation = 0.025;

        /// Speeds in units of the longest job's, so that the solver's error does not depend on
        /// them.
        static void require(FractionProgram& program, const AllocationView& view) {
            std::int64_t most_ms = 1;
            for (const AllocationJob& job : view.jobs)
                most_ms = std::max(most_ms, job.work_left_ms);
            for (std::size_t job = 0; job < view.jobs.size(); ++job)
                program.require_speed(job,
                                      static_cast<double>(view.jobs[job].work_left_ms) /
                                          static_cast<double>(most_ms));
        }

        std::optional<Answer> answer(const AllocationView& view) override {
            FractionProgram program{view};
            require(program, view);
            const std::optional<Answer> most = program.at_highest_level();
            return most ? program.at_level(most->level / (1 + relaxation)) : std::nullopt;
        }
    };
};

}} // namespace bursar::policies
