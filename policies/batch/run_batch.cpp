#include "policies/batch/run_batch.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/batch/answer_image.hpp"
#include "sim/batch/image_writer.hpp"
#include "sim/engine/workspace.hpp"

namespace bursar::inline policies {
namespace {

/// A block of the device's memory.
class DeviceBlock {
  public:
    DeviceBlock(BatchDevice& device, std::size_t bytes)
        : device_{device}, block_{device.allocate(bytes)} {}
    ~DeviceBlock() { device_.release(block_); }
    DeviceBlock(const DeviceBlock&) = delete;
    DeviceBlock& operator=(const DeviceBlock&) = delete;

    [[nodiscard]] std::byte* get() const { return block_; }

  private:
    BatchDevice& device_;
    std::byte* block_;
};

constexpr std::size_t line_bytes = 64;

std::size_t rounded(std::size_t bytes) {
    return (bytes + line_bytes - 1) / line_bytes * line_bytes;
}

/// Host memory that is written as it will lie in a block of the device.
struct alignas(line_bytes) Line {
    std::byte bytes[line_bytes];
};
std::byte* bytes_of(std::vector<Line>& lines) {
    return reinterpret_cast<std::byte*>(lines.data());
}

template <class View, class Source>
View image_of(const View& on_host, const Source& source, ImageWriter& writer) {
    View view = on_host;
    each_column(
        view, source, [&](auto& pointer, const auto& column) { pointer = writer.copy(column); });
    return view;
}

/// Plans and orders in the device's memory, each once.
class Images {
  public:
    Images(BatchDevice& device, std::span<const BatchRequest> requests) {
        for (const BatchRequest& request : requests) {
            plans_.try_emplace(request.plan, nullptr);
            orders_.try_emplace(request.order, JobOrderView{});
        }
        ImageWriter measure{nullptr, nullptr};
        write(measure, nullptr, nullptr);
        const std::size_t columns = rounded(measure.used());
        const std::size_t bytes = columns + rounded(plans_.size() * sizeof(PlanView));
        if (bytes > device.free_bytes())
            throw BatchError{std::to_string(plans_.size()) + " plans take " +
                             std::to_string(bytes) + " bytes, more than the device's memory has"};
        block_.emplace(device, bytes);
        std::vector<Line> staged(bytes / line_bytes);
        ImageWriter writer{bytes_of(staged), block_->get()};
        write(writer, bytes_of(staged) + columns, block_->get() + columns);
        device.to_device(block_->get(), bytes_of(staged), bytes);
    }

    [[nodiscard]] const PlanView* plan(const Plan* plan) const { return plans_.at(plan); }
    [[nodiscard]] JobOrderView order(const JobOrder* order) const { return orders_.at(order); }

  private:
    /// views: where those of plans are written; address: where they will lie.
    void write(ImageWriter& writer, std::byte* views, const std::byte* address) {
        std::size_t number = 0;
        for (auto& [plan, at] : plans_) {
            const PlanView view = image_of(view_of(*plan), *plan, writer);
            if (views == nullptr)
                continue;
            reinterpret_cast<PlanView*>(views)[number] = view;
            at = reinterpret_cast<const PlanView*>(address) + number++;
        }
        for (auto& [order, view] : orders_)
            view = image_of(view_of(*order), *order, writer);
    }

    std::map<const Plan*, const PlanView*> plans_;
    std::map<const JobOrder*, JobOrderView> orders_;
    std::optional<DeviceBlock> block_;
};

/// A request on its way: it may be made more than once.
struct Pending {
    std::size_t number{}; ///< of the request
    EngineChoice choice{};
    Workspace workspace{};
    BatchRun run{};
    std::size_t arena_bytes{};
};

/// Which engine instance serves a choice: equal ones go together.
auto instance_of(const EngineChoice& choice) {
    return std::tuple{choice.capacity, choice.pass, choice.rule.index()};
}

class BatchRunner {
  public:
    BatchRunner(BatchDevice& device,
                std::span<const BatchRequest> requests,
                const std::function<void(std::size_t, Outcome)>& on_outcome)
        : device_{device}, requests_{requests}, on_outcome_{on_outcome}, images_{device, requests} {
    }

    void run() {
        std::vector<Pending> pending;
        for (std::size_t i = 0; i < requests_.size(); ++i)
            pending.push_back({i, engine_choice(*requests_[i].plan, requests_[i].choice)});
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
    /// With the arena that its workspace says.
    void prepare(Pending& one) const {
        const BatchRequest& request = requests_[one.number];
        one.run.order = images_.order(request.order);
        one.run.order.finds_short = one.choice.options.reserves_for_head;
        one.run.rule = one.choice.rule;
        one.run.options = one.choice.options;
        one.run.plan = images_.plan(request.plan);
        one.run.size = one.workspace.arena_size(*request.plan);
        one.arena_bytes = device_.arena_bytes(one.choice, view_of(*request.plan), one.run);
    }

    [[nodiscard]] std::size_t answer_bytes(const Pending& one) const {
        return rounded(AnswerImage::size_of(view_of(*requests_[one.number].plan)));
    }

    /// Makes the first of these: as many as go together, and as there is room for the answers of.
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
        if (teams == 0)
            throw BatchError{"a run takes " + std::to_string(arena + answers) +
                             " bytes, more than the device's memory has"};
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
        const std::size_t runs_bytes = rounded(some.size() * sizeof(BatchRun));
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
                       arenas.get(),
                       arena_bytes},
                      teams);
        std::vector<Line> read(answers_bytes / line_bytes);
        device_.from_device(bytes_of(read), answers.get(), answers_bytes);
        std::byte* at = bytes_of(read);
        for (Pending& one : some) {
            hand_out(one, at, again);
            at += answer_bytes(one);
        }
    }

    void hand_out(Pending& one, std::byte* answer, std::vector<Pending>& again) {
        const Plan& plan = *requests_[one.number].plan;
        ArenaCarver carver{answer};
        const AnswerImage image{carver, view_of(plan)};
        if (image.totals->status == RunStatus::arena_full && one.workspace.enlarge(plan))
            again.push_back(std::move(one));
        else
            on_outcome_(one.number,
                        make_outcome(plan, *image.totals, image.cells, image.money, image.lives));
    }

    BatchDevice& device_;
    std::span<const BatchRequest> requests_;
    const std::function<void(std::size_t, Outcome)>& on_outcome_;
    Images images_;
};

} // namespace

void run_batch(BatchDevice& device,
               std::span<const BatchRequest> requests,
               const std::function<void(std::size_t i, Outcome outcome)>& on_outcome) {
    if (!requests.empty())
        BatchRunner{device, requests, on_outcome}.run();
}

} // namespace bursar::inline policies
