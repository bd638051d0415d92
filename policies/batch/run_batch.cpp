#include "policies/batch/run_batch.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/batch/answer_image.hpp"
#include "sim/engine/workspace.hpp"

#include "policies/batch/device_images.hpp"

namespace bursar { inline namespace policies {
namespace {

/// A request in progress; it may be repeated.
struct Pending {
    std::size_t number{}; ///< of the request
    EngineChoice choice{};
    Workspace workspace{};
    BatchRun run{};
    std::size_t arena_bytes{};
};

/// Identifies the engine instance of a choice: runs with equal ones share a launch.
auto instance_of(const EngineChoice& choice) {
    return std::tuple{choice.capacity, choice.pass, choice.rule.index()};
}

std::string_view name_of(CapacityKind kind) {
    switch (kind) {
    case CapacityKind::count:
        return "counts of GPUs";
    case CapacityKind::plain_nodes:
        return "plain nodes";
    case CapacityKind::full_nodes:
        return "nodes in full";
    }
    return {};
}

/// The requests of a batch and its callbacks.
struct BatchTask {
    BatchDevice& device;
    std::span<const BatchRequest> requests;
    const std::function<void(std::size_t, Run)>& on_run;
    const std::function<void(std::size_t, const std::string&)>& on_refused;

    void refuse(std::size_t number, const std::string& why) const {
        if (!on_refused)
            throw BatchError{why};
        on_refused(number, why);
    }
};

/// Serves requests of a batch whose plans fit into the device's memory together.
class BatchRunner {
  public:
    BatchRunner(const BatchTask& task, std::span<const std::size_t> numbers)
        : task_{task}, device_{task.device}, requests_{task.requests},
          images_{task.device, task.requests, numbers} {}

    void run(std::span<const std::size_t> numbers) {
        std::vector<Pending> pending;
        for (const std::size_t i : numbers) {
            pending.push_back({i, engine_choice(*requests_[i].plan, requests_[i].choice)});
            if (requests_[i].keeps_rows)
                keep_rows(pending.back());
        }
        while (!pending.empty()) {
            for (Pending& one : pending)
                prepare(one);
            std::ranges::sort(pending, [](const Pending& a, const Pending& b) {
                return std::tuple{instance_of(a.choice), b.arena_bytes, a.number} <
                       std::tuple{instance_of(b.choice), a.arena_bytes, b.number};
            });
            std::vector<Pending> again;
            for (std::size_t begin = 0; begin < pending.size();)
                begin += run_some(std::span{pending}.subspan(begin), again);
            pending = std::move(again);
        }
    }

  private:
    /// Starts with an estimate of the space for rows.
    void keep_rows(Pending& one) const {
        const Plan& plan = *requests_[one.number].plan;
        one.run.watch = one.choice.watch;
        one.run.by_slots = images_.by_slots(&plan);
        one.run.rows.is_kept = true;
        if (one.choice.options.stops_attempts || plan.moves())
            one.run.rows.stopped = static_cast<std::uint32_t>(plan.num_jobs() / 4 + 16);
        for (const PlanPool& pool : plan.pools)
            one.run.rows.paid += plan.moves() ? pool.num_nodes : 0;
    }

    /// Uses the arena size that its workspace reports.
    void prepare(Pending& one) const {
        const BatchRequest& request = requests_[one.number];
        one.run.order = view_of(*request.order, one.choice.options);
        one.run.rule = one.choice.rule;
        one.run.options = one.choice.options;
        one.run.plan = images_.plan(request.plan);
        one.run.size = one.workspace.arena_size(*request.plan);
        one.arena_bytes = device_.arena_bytes(one.choice, view_of(*request.plan), one.run);
        one.run.order = images_.order(request.order);
        one.run.order.finds_short = one.choice.options.reserves_for_head;
    }

    [[nodiscard]] std::size_t answer_bytes(const Pending& one) const {
        return whole_lines(
            AnswerImage::size_of(view_of(*requests_[one.number].plan), one.run.rows));
    }

    /// Serves the first of these runs: those of one instance that fit with their answers. Refuses
    /// one that can never fit. Returns how many were served or refused.
    std::size_t run_some(std::span<Pending> pending, std::vector<Pending>& again) {
        const std::size_t free = device_.free_bytes();
        const std::size_t arena = pending.front().arena_bytes; // the largest of its instance
        std::size_t answers = 0;
        std::size_t num = 0;
        for (; num < pending.size(); ++num) {
            const Pending& next = pending[num];
            const std::size_t more = answer_bytes(next) + sizeof(BatchRun);
            const bool has_room = num == 0 || answers + more <= free / 2;
            if (instance_of(next.choice) != instance_of(pending.front().choice) || !has_room)
                break;
            answers += more;
        }
        const std::span<Pending> some = pending.first(num);
        const std::size_t left = free > answers + line_bytes ? free - answers - line_bytes : 0;
        const std::size_t teams =
            std::min<std::size_t>({num, left / arena, device_.max_teams(some.front().choice)});
        if (teams == 0 && num > 1)
            return run_some(pending.first(1), again);
        if (teams == 0) {
            task_.refuse(some.front().number,
                         "a run takes " + std::to_string(arena + answers) +
                             " bytes, more than the device's memory has");
            return 1;
        }
        serve(some, arena, static_cast<std::uint32_t>(teams), again);
        return num;
    }

    void serve(std::span<Pending> some,
               std::size_t arena_bytes,
               std::uint32_t teams,
               std::vector<Pending>& again) {
        std::size_t answers_bytes = 0;
        for (const Pending& one : some)
            answers_bytes += answer_bytes(one);
        const std::size_t runs_bytes = whole_lines(some.size() * sizeof(BatchRun));
        const DeviceBlock answers{device_, answers_bytes};
        const DeviceBlock runs{device_, runs_bytes + line_bytes}; // and the counter
        const DeviceBlock arenas{device_, teams * arena_bytes};
        std::vector<Line> staged(runs_bytes / line_bytes + 1);
        std::byte* answer = answers.get();
        for (std::size_t i = 0; i < some.size(); ++i) {
            some[i].run.answer = answer;
            reinterpret_cast<BatchRun*>(bytes_of(staged))[i] = some[i].run;
            answer += answer_bytes(some[i]);
        }
        device_.to_device(runs.get(), bytes_of(staged), runs_bytes + line_bytes);
        device_.serve(some.front().choice,
                      {reinterpret_cast<const BatchRun*>(runs.get()),
                       static_cast<std::uint32_t>(some.size()),
                       reinterpret_cast<std::uint32_t*>(runs.get() + runs_bytes),
                       teams,
                       arenas.get(),
                       arena_bytes});
        std::vector<Line> read(answers_bytes / line_bytes);
        device_.from_device(bytes_of(read), answers.get(), answers_bytes);
        std::byte* at = bytes_of(read);
        for (Pending& one : some) {
            const std::size_t bytes = answer_bytes(one); // more where it is repeated
            hand_out(one, at, again);
            at += bytes;
        }
    }

    void hand_out(Pending& one, std::byte* answer, std::vector<Pending>& again) {
        const Plan& plan = *requests_[one.number].plan;
        ArenaCarver carver{answer};
        const AnswerImage image{carver, view_of(plan), one.run.rows};
        if (image.totals->status == RunStatus::arena_full && one.workspace.enlarge(plan)) {
            again.push_back(std::move(one));
            return;
        }
        if (!image.rows.is_whole()) {
            one.run.rows.stopped = static_cast<std::uint32_t>(image.rows.totals->num_stopped);
            one.run.rows.paid = static_cast<std::uint32_t>(image.rows.totals->num_paid);
            again.push_back(std::move(one));
            return;
        }
        Run run;
        run.outcome =
            make_outcome(plan, *image.totals, image.cells, image.money, image.grid, image.lives);
        if (one.run.rows.is_kept) {
            run.jobs = image.rows.job_rows(plan.num_jobs(), one.run.watch);
            run.paid = image.rows.paid_nodes();
        }
        task_.on_run(one.number, std::move(run));
    }

    const BatchTask& task_;
    BatchDevice& device_;
    std::span<const BatchRequest> requests_;
    DeviceImages images_;
};

/// The requests that the device can make, as far as known in advance; the others are reported.
std::vector<std::size_t> served(const BatchTask& task, std::span<const std::size_t> numbers) {
    const std::size_t free = task.device.free_bytes();
    std::vector<std::size_t> out;
    for (const std::size_t i : numbers) {
        const BatchRequest& request = task.requests[i];
        const EngineChoice choice = engine_choice(*request.plan, request.choice);
        const std::size_t bytes = image_bytes(*request.plan) + image_bytes(*request.order);
        if (choice.pass == PassKind::allocation)
            task.refuse(i, "allocators decide on the host, not on a device");
        else if (!task.device.serves(choice))
            task.refuse(i,
                        "the device has no kernel for its policies on " +
                            std::string{name_of(choice.capacity)});
        else if (bytes > free)
            task.refuse(i,
                        "a plan takes " + std::to_string(bytes) +
                            " bytes, more than the device's memory has");
        else
            out.push_back(i);
    }
    return out;
}

} // namespace

void run_batch(BatchDevice& device,
               std::span<const BatchRequest> requests,
               const std::function<void(std::size_t i, Run run)>& on_run,
               const std::function<void(std::size_t i, const std::string& why)>& on_refused) {
    const BatchTask task{device, requests, on_run, on_refused};
    for (const std::vector<std::size_t>& part : parts_of(requests, device.free_bytes() / 2)) {
        const std::vector<std::size_t> numbers = served(task, part);
        if (!numbers.empty())
            BatchRunner{task, numbers}.run(numbers);
    }
}

}} // namespace bursar::policies
