#include "reports/result/add_places.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/errors/report_error.hpp"
#include "reports/result/result_attempt.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Attempts by job, each job's in order of start.
std::vector<std::uint32_t> by_job(const GangPlaces& places, std::size_t num_jobs) {
    std::vector<std::uint32_t> begin(num_jobs + 1);
    for (const std::uint32_t job : places.job)
        ++begin[job + 1];
    for (std::size_t job = 0; job < num_jobs; ++job)
        begin[job + 1] += begin[job];
    std::vector<std::uint32_t> order(places.job.size());
    for (std::uint32_t attempt = 0; attempt < order.size(); ++attempt)
        order[begin[places.job[attempt]]++] = attempt;
    return order;
}

} // namespace

void add_places(const GangPlaces& places, Result& result) {
    PlaceColumns& out = result.places;
    for (const std::uint32_t attempt : by_job(places, result.jobs.size())) {
        const std::uint32_t begin = attempt == 0 ? 0 : places.end[attempt - 1];
        for (std::uint32_t piece = begin; piece < places.end[attempt]; ++piece) {
            out.node.push_back(places.node[piece]);
            out.gpus.push_back(places.gpus[piece]);
        }
        out.end.push_back(static_cast<std::uint32_t>(out.node.size()));
    }
    if (const std::string mistake = mistake_in_places(result); !mistake.empty())
        throw ReportError{"a defect of bursar: " + mistake};
}

std::string mistake_in_places(const Result& result) {
    const PlaceColumns& places = result.places;
    if (places.empty())
        return {};
    std::string mistake;
    std::size_t num_attempts = 0;
    std::size_t piece = 0;
    for_each_attempt(result, [&](const ResultAttempt& attempt) {
        ++num_attempts;
        if (!mistake.empty() || attempt.index >= places.end.size())
            return;
        const ResultPool& pool = result.pools[attempt.pool];
        std::uint64_t gpus = 0;
        const bool is_in_order =
            places.end[attempt.index] >= piece && places.end[attempt.index] <= places.node.size();
        for (; is_in_order && piece < places.end[attempt.index]; ++piece) {
            gpus += places.gpus[piece];
            if (places.node[piece] >= pool.num_nodes || places.gpus[piece] > pool.gpus_per_node)
                mistake = "an attempt is on a node that its pool does not have";
        }
        if (!is_in_order || gpus != attempt.gpus)
            mistake = "the nodes of an attempt do not hold its gang";
    });
    if (mistake.empty() && num_attempts != places.end.size())
        mistake = "nodes are known of " + std::to_string(places.end.size()) +
                  " attempts, and there were " + std::to_string(num_attempts);
    return mistake;
}

}} // namespace bursar::reports
