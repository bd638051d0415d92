#include "models/training/job/layout.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "models/errors/model_error.hpp"

namespace bursar { inline namespace models {

std::string ranks_text(const Layout& layout) {
    std::string text = "tensor " + std::to_string(layout.tensor);
    text += " x pipeline " + std::to_string(layout.pipeline);
    if (layout.chunks > 1)
        text += " (" + std::to_string(layout.chunks) + " chunks)";
    if (layout.context > 1)
        text += " x context " + std::to_string(layout.context);
    text += " x data " + std::to_string(layout.data);
    if (layout.expert > 1)
        text += " (expert " + std::to_string(layout.expert) + ")";
    return text;
}

namespace {

constexpr std::string_view every_prefix = "every ";

} // namespace

std::string recompute_text(const Recomputation& recompute) {
    if (recompute.every > 1)
        return std::string{every_prefix} + std::to_string(recompute.every);
    return std::string{recompute_names[static_cast<std::size_t>(recompute.what)]};
}

std::optional<Recomputation> recompute_named(std::string_view text) {
    for (std::size_t i = 0; i < recompute_names.size(); ++i)
        if (text == recompute_names[i])
            return Recomputation{static_cast<Recompute>(i)};
    if (!text.starts_with(every_prefix))
        return std::nullopt;
    constexpr std::int64_t most = 9'999;
    text.remove_prefix(every_prefix.size());
    std::int64_t every = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), every);
    if (error != std::errc{} || end != text.data() + text.size() || every < 1 || every > most)
        return std::nullopt;
    return Recomputation{Recompute::full, every};
}

namespace {

std::string text(std::int64_t count) {
    return std::to_string(count);
}

std::int64_t data_ranks(const Layout& layout, const LayoutSizes& sizes) {
    const std::int64_t model_ranks = layout.tensor * layout.pipeline * layout.context;
    if (!sizes.gpus)
        return sizes.data.value_or(std::max<std::int64_t>(1, sizes.gpus_per_node / model_ranks));
    const std::string ranks = "tensor " + text(layout.tensor) + " x pipeline " +
                              text(layout.pipeline) + " x context " + text(layout.context);
    if (*sizes.gpus % model_ranks != 0)
        throw ModelError{"gpus",
                         text(*sizes.gpus) + " are not a multiple of " + ranks + " = " +
                             text(model_ranks),
                         {}};
    const std::int64_t left = *sizes.gpus / model_ranks;
    if (sizes.data && *sizes.data != left)
        throw ModelError{"data",
                         text(*sizes.data) + " ranks of " + ranks + " do not make " +
                             text(*sizes.gpus) + " GPUs",
                         text(left) + " would"};
    return left;
}

} // namespace

Layout complete_layout(Layout layout, const LayoutSizes& sizes) {
    layout.data = data_ranks(layout, sizes);
    layout.micro_batch = sizes.micro_batch.value_or(1);
    if (!sizes.global_batch) {
        layout.micro_batches =
            layout.pipeline > 1 ? usual_micro_batches_per_stage * layout.pipeline : 1;
        return layout;
    }
    const std::int64_t pass = layout.micro_batch * layout.data;
    if (*sizes.global_batch % pass != 0)
        throw ModelError{"global_batch",
                         text(*sizes.global_batch) + " is not a multiple of micro-batch " +
                             text(layout.micro_batch) + " x data " + text(layout.data) + " = " +
                             text(pass),
                         {}};
    layout.micro_batches = *sizes.global_batch / pass;
    return layout;
}

}} // namespace bursar::models
