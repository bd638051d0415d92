#include "scenarios/measurements/operator_check.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "models/training/job/precision_plan.hpp"
#include "models/training/job/stack_profile.hpp"
#include "models/training/step/attention_core.hpp"
#include "models/training/step/gemm.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace scenarios {
namespace {

using Kernels = std::vector<MeasuredKernel<3>>;

/// Errors of kernels of one kind: shape_of makes the formula's question of a kernel's sizes.
template <class ShapeOf, class Formula>
void check_kernels(const Kernels& measured,
                   Kernels MeasuredKernels::*member,
                   const ShapeOf& shape_of,
                   const Formula& formula,
                   OperatorCheck& check) {
    std::vector<Prediction> computed;
    std::vector<Prediction> looked_up;
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const auto shape = shape_of(measured[i]);
        MeasuredKernels self;
        self.*member = {measured[i]};
        const double time = self.time(shape)->count();
        computed.push_back({formula(shape).count(), time});
        MeasuredKernels others;
        others.*member = measured;
        (others.*member).erase((others.*member).begin() + static_cast<std::ptrdiff_t>(i));
        if (const auto between = others.time(shape))
            looked_up.push_back({between->count(), time});
        check.best = std::max(check.best, measured[i].rate);
    }
    check.formula = error_statistics(computed);
    check.look_up = error_statistics(looked_up);
}

MatrixUnit unit_of(const Gpu& gpu, Precision precision) {
    const StackProfile profile;
    return {achievable_peak(gpu, precision) * profile.gemm_efficiency,
            profile.gemm_half_size,
            memory_bandwidth(gpu) * profile.memory_efficiency,
            plan_precision(gpu, precision).element_bytes,
            real(gpu.multiprocessors.value_or(0))};
}

OperatorCheck check_products(const MeasuredKernels& kernels, const Gpu& gpu, Precision precision) {
    OperatorCheck check;
    check.operation = "matmul, " + kernels.format;
    check_kernels(
        kernels.products,
        &MeasuredKernels::products,
        [](const MeasuredKernels::Product& kernel) {
            return MatrixProduct{kernel.sizes[0], kernel.sizes[1], kernel.sizes[2]};
        },
        [unit = unit_of(gpu, precision)](const MatrixProduct& product) {
            return gemm_time(product, unit);
        },
        check);
    check.format = precision;
    return check;
}

OperatorCheck check_attention(const MeasuredKernels& kernels,
                              Kernels MeasuredKernels::*member,
                              const Gpu& gpu,
                              Precision precision) {
    const bool causal = member == &MeasuredKernels::causal;
    const StackProfile profile;
    const bool hopper = supports(gpu, Precision::fp8);
    const AttentionConstants constants{
        profile.unfused_attention_efficiency, profile.softmax_traffic, profile.flash_efficiency};
    OperatorCheck check{
        .operation = fmt::format("attention, {}{}", kernels.format, causal ? ", causal" : "")};
    check_kernels(
        kernels.*member,
        member,
        [causal](const MeasuredKernels::Attention& kernel) {
            const auto [tokens, heads, size] = kernel.sizes;
            return AttentionShape{1, tokens, tokens, heads, size, causal};
        },
        [&, unit = unit_of(gpu, precision)](const AttentionShape& shape) {
            return attention_core_time(
                shape, hopper ? Attention::flash3 : Attention::flash2, unit, constants, hopper);
        },
        check);
    check.best = {};
    return check;
}

OperatorCheck check_collective(const MeasuredCollectives::Group& group,
                               const MeasuredCurve& curve,
                               const Gpu& gpu) {
    const std::int64_t joined = group.ranks / group.domains;
    const Cluster cluster =
        make_cluster(gpu,
                     group.domains > 1 ? joined : std::max<std::int64_t>(joined, 8),
                     usual_node_network(gpu, joined));
    const std::span<const MeasuredPoint> points = curve.points();
    std::vector<Prediction> computed;
    std::vector<Prediction> looked_up;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double time = points[i].time.count();
        computed.push_back(
            {collective_time(group.kind, points[i].volume, {group.ranks, 1}, cluster.tree, {})
                 .count(),
             time});
        if (i == 0 || i + 1 == points.size())
            continue; // not between others
        std::vector<MeasuredPoint> others{points.begin(), points.end()};
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        looked_up.push_back(
            {MeasuredCurve{std::move(others)}.time(points[i].volume).count(), time});
    }
    OperatorCheck check{
        .operation = fmt::format("{} over {} GPUs{}",
                                 collective_names[static_cast<std::size_t>(group.kind)],
                                 group.ranks,
                                 group.domains > 1 ? fmt::format(" in {} nodes", group.domains)
                                                   : std::string{}),
        .formula = error_statistics(computed),
        .look_up = error_statistics(looked_up)};
    if (points.size() > 1)
        check.link = fit_link(points, bus_factor(group.kind, group.ranks));
    return check;
}

} // namespace

std::vector<OperatorCheck> check_operators(const OperatorTable& table, const Gpu& gpu) {
    std::vector<OperatorCheck> checks;
    for (std::size_t i = 0; i < table.operators.kernels.size(); ++i) {
        const MeasuredKernels& kernels = table.operators.kernels[i];
        const auto precision = static_cast<Precision>(i);
        if (!kernels.products.empty())
            checks.push_back(check_products(kernels, gpu, precision));
        for (const auto member : {&MeasuredKernels::causal, &MeasuredKernels::square})
            if (!(kernels.*member).empty())
                checks.push_back(check_attention(kernels, member, gpu, precision));
    }
    for (const auto& [group, series] : table.collectives.all())
        checks.push_back(check_collective(group, series.curve, gpu));
    return checks;
}

}} // namespace bursar::scenarios
