#include "models/training/memory/memory_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>

#include "models/errors/number_text.hpp"
#include "models/training/job/check_layout.hpp"
#include "models/training/job/layout.hpp"
#include "models/training/job/training_job.hpp"
#include "models/training/memory/activations.hpp"

namespace bursar { inline namespace models {
namespace {

std::string instead(const char* what, std::int64_t now, std::int64_t before) {
    return std::string{what} + " " + std::to_string(now) + " instead of " + std::to_string(before);
}

/// Order of savings by memory.
int saving(const Recomputation& recompute) {
    switch (recompute.what) {
    case Recompute::none:
        return 0;
    case Recompute::selective:
        return 1;
    case Recompute::operators:
        return 3;
    case Recompute::full:
        return recompute.every > 1 ? 2 : 4;
    }
    return 0;
}

/// The standard deviation of a normal error, as a share of the memory: its mean absolute value is
/// sqrt(2 / pi) of it.
double deviation_of(const MemoryError& error) {
    return error.share * std::sqrt(std::numbers::pi / 2);
}

/// PCIe 5 x16. Over slower links copies of activations last longer than their recompute.
constexpr ByteRate fastest_pcie{64e9};

/// With the fewest layers offloaded that fit; absent: none do.
std::optional<Layout>
fewest_offloaded(TrainingJob job, ByteVolume capacity, const MemoryOf& memory) {
    const std::int64_t layers = layers_per_stage(job.model.layers, job.layout.pipeline);
    for (std::int64_t& away = job.layout.offload_layers; ++away <= layers;)
        if (memory(job) <= capacity)
            return job.layout;
    return std::nullopt;
}

/// Tries layouts for one job and keeps those that fit.
class Remedies {
  public:
    Remedies(const TrainingJob& job, const Cluster& cluster, const MemoryOverheads& overheads)
        : job_{job}, cluster_{cluster}, overheads_{overheads},
          capacity_{usable_memory(cluster.gpu, overheads)} {}

    /// Keeps the layout if it is possible and fits; returns whether it did.
    bool attempt(const Layout& layout, std::string change) {
        TrainingJob changed = job_;
        changed.layout = layout;
        std::int64_t& away = changed.layout.offload_layers;
        away = std::min(away, layers_per_stage(job_.model.layers, layout.pipeline));
        if (layout_fault(changed, cluster_))
            return false;
        const MemoryUse use = memory_use(changed, overheads_);
        if (use.total() > capacity_)
            return false;
        found_.push_back({std::move(change), changed.layout, use});
        return true;
    }

    /// The largest smaller micro-batch that keeps the global batch.
    void smaller_micro_batch(const Layout& from) {
        const std::int64_t sequences = from.micro_batch * from.micro_batches;
        for (std::int64_t batch = from.micro_batch - 1; batch >= 1; --batch) {
            if (sequences % batch != 0)
                continue;
            Layout layout = from;
            layout.micro_batch = batch;
            layout.micro_batches = sequences / batch;
            if (attempt(layout, instead("micro_batch", batch, from.micro_batch)))
                return;
        }
    }

    void sharding(const Layout& from, Sharding min, Sharding max) {
        for (auto stage = static_cast<std::size_t>(from.sharding) + 1; stage < 4; ++stage) {
            Layout layout = from;
            layout.sharding = static_cast<Sharding>(stage);
            if (layout.sharding < min || layout.sharding > max)
                continue;
            if (attempt(layout, "sharding " + std::string{sharding_names[stage]}))
                return;
        }
    }

    void recompute(const Layout& from, const Recomputation& mode) {
        if (saving(from.recompute) >= saving(mode))
            return;
        Layout layout = from;
        layout.recompute = mode;
        attempt(layout, "recompute " + recompute_text(mode));
    }

    /// Twice, four times ... the ranks, taken out of the data-parallel ones.
    void more_tensor(const Layout& from) {
        more(from, &Layout::tensor, "tensor", cluster_.gpus_per_node);
    }
    void more_pipeline(const Layout& from) {
        more(from, &Layout::pipeline, "pipeline", job_.model.layers);
    }

    void offload(const Layout& from) {
        if (from.offload_optimizer)
            return;
        Layout layout = from;
        layout.offload_optimizer = true;
        attempt(layout, "offload_optimizer");
    }

    void offload_layers(const Layout& from) {
        const auto memory = [this](const TrainingJob& job) {
            return memory_use(job, overheads_).total();
        };
        TrainingJob job = job_;
        job.layout = from;
        if (const auto layout = fewest_offloaded(job, capacity_, memory))
            attempt(*layout, "offload_layers " + std::to_string(layout->offload_layers));
    }

    /// All savings at once, with as few more ranks per replica as needed: tensor first.
    void all_savings(const Layout& from) {
        const std::int64_t sequences = from.micro_batch * from.micro_batches;
        for (std::int64_t factor = 1; from.data % factor == 0; factor *= 2) {
            for (std::int64_t tensor = factor; tensor >= 1; tensor /= 2) {
                Layout layout = from;
                layout.sharding = Sharding::zero3;
                layout.recompute = Recompute::full;
                layout.tensor *= tensor;
                layout.pipeline *= factor / tensor;
                layout.data /= factor;
                layout.micro_batch = 1;
                layout.micro_batches = sequences * factor;
                if (attempt(layout, together(layout)))
                    return;
            }
        }
    }

    [[nodiscard]] bool none() const { return found_.empty(); }
    [[nodiscard]] ByteVolume capacity() const { return capacity_; }
    std::vector<MemoryRemedy> take() { return std::move(found_); }

  private:
    /// GPUs and global batch stay: data falls, micro-batches rise by the same factor.
    void
    more(const Layout& from, std::int64_t Layout::*degree, const char* what, std::int64_t max) {
        for (std::int64_t factor = 2; from.data % factor == 0; factor *= 2) {
            Layout layout = from;
            layout.*degree *= factor;
            if (layout.*degree > max)
                return;
            layout.data /= factor;
            layout.micro_batches *= factor;
            if (attempt(layout, instead(what, layout.*degree, from.*degree)))
                return;
        }
    }

    static std::string together(const Layout& layout) {
        return "tensor " + std::to_string(layout.tensor) + ", pipeline " +
               std::to_string(layout.pipeline) +
               ", sharding zero3, recompute full and micro_batch 1 together";
    }

    const TrainingJob& job_;
    const Cluster& cluster_;
    const MemoryOverheads& overheads_;
    ByteVolume capacity_;
    std::vector<MemoryRemedy> found_;
};

} // namespace

std::optional<Layout> with_offload(const TrainingJob& job,
                                   const Cluster& cluster,
                                   ByteVolume capacity,
                                   const MemoryOf& memory) {
    const Layout& layout = job.layout;
    const bool is_usual = job.offloads_activations && layout.sharding == Sharding::zero3 &&
                          layout.pipeline == 1 && cluster.host_link > fastest_pcie;
    const bool is_open = layout.offload_layers == 0 && layout.recompute.what == Recompute::none;
    return is_usual && is_open ? fewest_offloaded(job, capacity, memory) : std::nullopt;
}

std::optional<MemoryError> memory_error(const TrainingJob& job, const MemoryOverheads& overheads) {
    // The recipes of Megatron-Bridge 25.11 for 64 GB200 and GB300 need 10 and 2 % more than there
    // is by the model (FORMULAS 5).
    constexpr double of_recipes = 0.1;
    // The runs of compiled jobs in fp8 (torchtitan) are among the measured ones.
    const bool is_converted = is_small(job.precision) && job.compilation != Compilation::compiled;
    const bool is_measured = job.layout.offload_layers == 0 && !is_converted;
    if (!overheads.error || is_measured || overheads.error->share >= of_recipes)
        return overheads.error;
    return MemoryError{of_recipes,
                       "in the worse of two published recipes (Llama 3 70B in fp8 on 64 GB200 and "
                       "GB300, 40 and 20 layers offloaded); nothing like it was measured"};
}

std::optional<double>
fit_chance(ByteVolume need, ByteVolume capacity, const std::optional<MemoryError>& error) {
    if (!error)
        return std::nullopt;
    const double spare = (capacity - need).count() / (deviation_of(*error) * need.count());
    const double chance = std::erfc(-spare / std::numbers::sqrt2) / 2;
    return std::round(chance * 1000) / 1000; // the tails of the error are not known better
}

ByteVolume likely_capacity(ByteVolume capacity, const std::optional<MemoryError>& error) {
    constexpr double deviations = 0.8416; // the 80th percentile of the standard normal law
    return error ? capacity * (1 / (1 + deviations * deviation_of(*error))) : capacity;
}

std::string gigabytes(ByteVolume volume) {
    return one_decimal(volume.count() / bytes_per_gb) + " GB";
}

MemoryFit
what_fits(const TrainingJob& job, const Cluster& cluster, const MemoryOverheads& overheads) {
    check_layout(job, cluster);
    Remedies remedies{job, cluster, overheads};
    MemoryFit fit;
    fit.capacity = remedies.capacity();
    fit.use = memory_use(job, overheads);
    if (fit.fits())
        return fit;
    const Layout& from = job.layout;
    remedies.smaller_micro_batch(from);
    remedies.sharding(from, Sharding::zero1, Sharding::zero1);
    remedies.recompute(from, Recompute::selective);
    remedies.more_tensor(from);
    remedies.more_pipeline(from);
    remedies.sharding(from, Sharding::zero2, Sharding::zero3);
    remedies.recompute(from, {Recompute::full, 2});
    remedies.recompute(from, Recompute::full);
    if (cluster.host_link > fastest_pcie)
        remedies.offload_layers(from);
    remedies.offload(from);
    if (remedies.none())
        remedies.all_savings(from);
    fit.remedies = remedies.take();
    return fit;
}

std::string describe(const MemoryFit& fit, const Cluster& cluster) {
    std::string text = "needs " + gigabytes(fit.use.total()) + " of the " +
                       gigabytes(fit.capacity) + " usable on " + cluster.gpu.name;
    if (fit.fits())
        return text;
    text += " (" + gigabytes(fit.missing()) + " too much)";
    if (fit.remedies.empty())
        return text + "; nothing near it fits: give more GPUs, or GPUs with more memory";
    for (std::size_t i = 0; i < fit.remedies.size(); ++i)
        text += (i == 0 ? "; fits with " : ", or with ") + fit.remedies[i].change;
    return text;
}

}} // namespace bursar::models
