#include "policies/batch/device_images.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace bursar { inline namespace policies {

namespace {

template <class View, class Source>
View image_of(const View& on_host, const Source& source, ImageWriter& writer) {
    View view = on_host;
    each_column(
        view, source, [&](auto& pointer, const auto& column) { pointer = writer.copy(column); });
    return view;
}

template <class Source>
std::size_t columns_bytes(const Source& source) {
    ImageWriter measure{nullptr, nullptr};
    image_of(view_of(source), source, measure);
    return whole_lines(measure.used());
}

} // namespace

DeviceImages::DeviceImages(BatchDevice& device,
                           std::span<const BatchRequest> requests,
                           std::span<const std::size_t> numbers) {
    for (const std::size_t number : numbers) {
        plans_.try_emplace(requests[number].plan, nullptr);
        orders_.try_emplace(requests[number].order, JobOrderView{});
        if (requests[number].keeps_rows)
            by_slots_.try_emplace(requests[number].plan, nullptr);
    }
    ImageWriter measure{nullptr, nullptr};
    write(measure, nullptr, nullptr);
    const std::size_t columns = whole_lines(measure.used());
    const std::size_t bytes = columns + whole_lines(plans_.size() * sizeof(PlanView));
    block_.emplace(device, bytes);
    std::vector<Line> staged(bytes / line_bytes);
    ImageWriter writer{bytes_of(staged), block_->get()};
    write(writer, bytes_of(staged) + columns, block_->get() + columns);
    device.to_device(block_->get(), bytes_of(staged), bytes);
}

void DeviceImages::write(ImageWriter& writer, std::byte* views, const std::byte* address) {
    std::size_t number = 0;
    for (auto& [plan, at] : plans_) {
        const PlanView view = image_of(view_of(*plan), *plan, writer);
        if (views == nullptr)
            continue;
        reinterpret_cast<PlanView*>(views)[number] = view;
        at = reinterpret_cast<const PlanView*>(address) + number++;
    }
    for (auto& [plan, at] : by_slots_)
        at = writer.copy(shapes_by_slots(*plan));
    for (auto& [order, view] : orders_)
        view = image_of(view_of(*order), *order, writer);
}

std::size_t image_bytes(const Plan& plan) {
    return columns_bytes(plan) + whole_lines(sizeof(PlanView)) +
           whole_lines(plan.shapes.size() * sizeof(ShapeId));
}

std::size_t image_bytes(const JobOrder& order) {
    return columns_bytes(order);
}

std::vector<std::vector<std::size_t>> parts_of(std::span<const BatchRequest> requests,
                                               std::size_t bytes) {
    std::map<const Plan*, std::size_t> first; // by the first request of each
    for (std::size_t i = 0; i < requests.size(); ++i)
        first.try_emplace(requests[i].plan, i);
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) {
        return std::pair{first.at(requests[i].plan), i};
    });
    std::vector<std::vector<std::size_t>> parts;
    std::set<const void*> there;
    std::size_t taken = 0;
    for (const std::size_t i : order) {
        const auto more_for = [&] {
            const std::size_t plan =
                there.contains(requests[i].plan) ? 0 : image_bytes(*requests[i].plan);
            const std::size_t jobs =
                there.contains(requests[i].order) ? 0 : image_bytes(*requests[i].order);
            return plan + jobs;
        };
        if (parts.empty() || taken + more_for() > bytes) {
            parts.emplace_back();
            there.clear();
            taken = 0;
        }
        taken += more_for();
        there.insert({requests[i].plan, requests[i].order});
        parts.back().push_back(i);
    }
    return parts;
}

}} // namespace bursar::policies
