#pragma once

#include <array>

#include "models/training/job/cluster.hpp"
#include "models/training/job/training_job.hpp"

#include "tests/models/network/example_links.hpp"

/// GPUs and models that the step tests share; facts as in scenarios/catalog/gpus.yaml.
namespace bursar {

inline Gpu example_gpu(const char* name, double memory_gb, double memory_gb_s, double link_gb_s) {
    Gpu gpu;
    gpu.name = name;
    gpu.memory_gb = memory_gb;
    gpu.memory_bandwidth_gb_s = memory_gb_s;
    gpu.scaleup_gb_s = link_gb_s;
    gpu.links = example_links();
    gpu.servers = example_servers();
    return gpu;
}

inline Gpu v100() {
    Gpu gpu = example_gpu("V100-SXM2-16GB", 16, 900, 150);
    gpu.dense_peak_tflops = {15.7, std::nullopt, 125, std::nullopt, std::nullopt};
    return gpu;
}

inline Gpu a100() {
    Gpu gpu = example_gpu("A100-SXM4-80GB", 80, 2000, 300);
    gpu.dense_peak_tflops = {19.5, 156, 312, 312, std::nullopt};
    gpu.achievable_fraction[static_cast<std::size_t>(Precision::bf16)] = 0.87;
    return gpu;
}

inline Gpu h100() {
    Gpu gpu = example_gpu("H100-SXM5-80GB", 80, 3350, 450);
    gpu.dense_peak_tflops = {67, 494.5, 989, 989, 1979};
    return gpu;
}

inline Cluster example_cluster(const Gpu& gpu) {
    return make_cluster(gpu, 8, ByteRate{200e9});
}

/// GPT-3 of Narayanan et al. 2021: 96 layers, vocabulary 51200.
inline Transformer gpt_175b() {
    return {.name = "gpt-175b",
            .layers = 96,
            .hidden = 12288,
            .ffn = 49152,
            .heads = 96,
            .kv_heads = 96,
            .head_dim = 128,
            .vocab = 51200,
            .sequence = 2048,
            .experts = {},
            .activation_copies = {}};
}

inline Transformer llama_8b() {
    return {.name = "llama-3-8b",
            .layers = 32,
            .hidden = 4096,
            .ffn = 14336,
            .heads = 32,
            .kv_heads = 8,
            .head_dim = 128,
            .vocab = 128256,
            .sequence = 8192,
            .ffn_matrices = 3,
            .tied_embedding = false,
            .dropout = false,
            .experts = {},
            .activation_copies = {}};
}

/// 175 billion parameters on 1,024 A100: tensor 8, pipeline 8, data 16, full recompute, batch
/// 1,536.
inline TrainingJob gpt_175b_job() {
    TrainingJob job;
    job.model = gpt_175b();
    job.sequence = 2048;
    job.layout.tensor = 8;
    job.layout.pipeline = 8;
    job.layout.data = 16;
    job.layout.micro_batches = 96;
    job.layout.recompute = Recompute::full;
    job.precision = Precision::fp16;
    job.attention = Attention::unfused;
    return job;
}

} // namespace bursar
