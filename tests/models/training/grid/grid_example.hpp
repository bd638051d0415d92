#pragma once

#include <cstdint>

#include "models/training/grid/layout_grid.hpp"

#include "tests/models/training/step_example.hpp"

namespace bursar {

/// One model on two GPU types at twenty prices: 440,000 points; some fit.
inline GridAxes example_axes() {
    GridAxes axes;
    TrainingJob job;
    job.model = llama_8b();
    job.sequence = job.model.sequence;
    axes.jobs = {job};
    axes.machines = {{example_cluster(a100()), Precision::bf16, {}, {}},
                     {example_cluster(h100()), Precision::bf16, {}, {}}};
    for (std::uint32_t i = 0; i < 20; ++i)
        axes.offers.push_back({i % 2, MoneyRate{nano_usd_per_usd + 100'000'000 * i}});
    axes.gpus = {64, 128, 256};
    axes.batches = {512, 1024};
    axes.tokens = 1e11;
    return axes;
}

} // namespace bursar
