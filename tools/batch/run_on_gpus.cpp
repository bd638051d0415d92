#include "tools/batch/run_on_gpus.hpp"

#include <exception>
#include <memory>
#include <thread>
#include <utility>

namespace bursar { inline namespace tools {
namespace {

/// A GPU with its current runs, and their state.
struct Seat {
    const BatchGpu* gpu{};
    std::vector<std::size_t> runs{};
    std::vector<std::size_t> left{}; ///< those that it did not finish
    std::string loss{};              ///< empty: the GPU works
    std::exception_ptr error{};      ///< an error that is not the GPU's
};

void serve(std::span<const BatchPlan> plans, const BatchListener& listener, Seat& seat) {
    std::vector<BatchRequest> requests;
    for (const std::size_t at : seat.runs)
        requests.push_back({plans[at].plan.get(), plans[at].order.get(), plans[at].choice});
    std::vector<bool> is_reported(seat.runs.size());
    try {
        const std::unique_ptr<BatchDevice> device = seat.gpu->open();
        run_batch(
            *device,
            requests,
            [&](std::size_t i, const Run& run) {
                is_reported[i] = true;
                listener.on_outcome(seat.runs[i], run.outcome);
            },
            [&](std::size_t i, const std::string& why) {
                is_reported[i] = true;
                listener.on_refused(seat.runs[i], why);
            });
    } catch (const BatchError& error) {
        seat.loss = seat.gpu->name + ": " + error.what();
    } catch (...) {
        seat.error = std::current_exception();
    }
    seat.left.clear();
    for (std::size_t i = 0; i < is_reported.size(); ++i)
        if (!is_reported[i])
            seat.left.push_back(seat.runs[i]);
}

void deal(const std::vector<std::size_t>& runs, std::vector<Seat>& seats) {
    for (Seat& seat : seats)
        seat.runs.clear();
    for (std::size_t n = 0; n < runs.size(); ++n)
        seats[n % seats.size()].runs.push_back(runs[n]);
}

} // namespace

LeftByGpus run_on_gpus(std::span<const BatchGpu> gpus,
                       std::span<const BatchPlan> plans,
                       std::vector<std::size_t> runs,
                       const BatchListener& listener) {
    LeftByGpus out{std::move(runs), {}};
    sort_longest_first(plans, out.runs);
    std::vector<Seat> seats;
    for (const BatchGpu& gpu : gpus)
        seats.push_back({&gpu});
    while (!out.runs.empty() && !seats.empty()) {
        deal(out.runs, seats);
        {
            std::vector<std::jthread> threads;
            for (Seat& seat : seats)
                if (!seat.runs.empty())
                    threads.emplace_back([&] { serve(plans, listener, seat); });
        }
        out.runs.clear();
        for (const Seat& seat : seats) {
            if (seat.error)
                std::rethrow_exception(seat.error);
            out.runs.insert(out.runs.end(), seat.left.begin(), seat.left.end());
            if (!seat.loss.empty())
                out.losses.push_back(seat.loss);
        }
        std::erase_if(seats, [](const Seat& seat) { return !seat.loss.empty(); });
        sort_longest_first(plans, out.runs);
    }
    return out;
}

}} // namespace bursar::tools
