#pragma once

#include <cstdint>

#include "models/training/job/cluster.hpp"
#include "models/training/job/training_job.hpp"

#include "tests/models/network/example_links.hpp"

namespace bursar::test {

/// The models of Korthikanti 2022 Table 3: GELU, f = 4h, 2048 tokens, a vocabulary of 51200.
inline Transformer gpt(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
    Transformer model;
    model.layers = layers;
    model.hidden = hidden;
    model.ffn = 4 * hidden;
    model.heads = heads;
    model.kv_heads = heads;
    model.head_dim = hidden / heads;
    model.vocab = 51200;
    model.sequence = 2048;
    return model;
}

/// Llama 3.1 8B and its like: gated, grouped queries, no dropout.
inline Transformer llama_8b() {
    Transformer model = gpt(32, 4096, 32);
    model.ffn = 14336;
    model.kv_heads = 8;
    model.vocab = 128256;
    model.ffn_matrices = 3;
    model.tied_embedding = false;
    model.dropout = false;
    return model;
}

/// Megatron-LM's kernels of 2022: scores are written to memory.
inline TrainingJob megatron(const Transformer& model, const Layout& layout) {
    TrainingJob job;
    job.model = model;
    job.sequence = model.sequence;
    job.layout = layout;
    job.precision = Precision::fp16;
    job.attention = Attention::unfused;
    return job;
}

/// Nodes of 8 A100 of 80 GB, 200 Gbit/s per GPU between them.
inline Cluster a100_cluster() {
    Gpu gpu;
    gpu.name = "A100-SXM4-80GB";
    gpu.vendor = "NVIDIA";
    gpu.memory_gb = 80;
    gpu.memory_bandwidth_gb_s = 2039;
    gpu.scaleup_gb_s = 300;
    gpu.links = example_links();
    gpu.servers = example_servers();
    gpu.dense_peak_tflops = {19.5, 156, 312, 312, std::nullopt};
    return make_cluster(gpu, 8, ByteRate{200e9});
}

} // namespace bursar::test
