#include "scenarios/measurements/measured_transformer.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"

#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"
#include "scenarios/measurements/noted_shape.hpp"
#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

double d(std::int64_t count) {
    return static_cast<double>(count);
}

std::int64_t rounded_to(double value, std::int64_t multiple) {
    const double steps = std::max(1.0, std::round(value / static_cast<double>(multiple)));
    return static_cast<std::int64_t>(steps) * multiple;
}

/// "Llama-3.1-8B-Instruct", "Llama-3-8B cut to 4 layers" -> "Llama-3-8B": point releases, tunings
/// and cut networks keep the shape of a layer.
std::string release_name(std::string_view text) {
    std::string name = lower_case(text);
    if (const std::size_t cut = name.find(" cut to "); cut != std::string::npos)
        name.erase(cut);
    for (const std::string_view tuning : {"-instruct", "-chat", "-base", "-v0.1", "-v0.2", "-v0.3"})
        if (const std::size_t at = name.find(tuning); at != std::string::npos)
            name.erase(at, tuning.size());
    if (name.starts_with("llama"))
        for (std::size_t dot = name.find('.'); dot != std::string::npos;
             dot = name.find('.', dot)) {
            const bool release = dot > 0 && dot + 2 < name.size() && name[dot + 2] == '-';
            if (release)
                name.erase(dot, 2);
            else
                ++dot;
        }
    return plain_name(name);
}

/// The architecture of that name; else the one whose name it ends with, as further trained models
/// carry the name of their base ("DeepSeek-R1-0528-Qwen3-8B").
const Transformer* architecture_named(const std::string& name, const Architectures& known) {
    const std::string wanted = release_name(name);
    const Transformer* base = nullptr;
    for (const Architecture& architecture : known.all) {
        const auto* transformer = std::get_if<Transformer>(&architecture);
        if (transformer == nullptr)
            continue;
        const std::string candidate = plain_name(transformer->name);
        if (candidate == wanted)
            return transformer;
        if (wanted.ends_with(candidate))
            base = transformer;
    }
    return base;
}

/// The number just before `suffix` at `end` in `text`: 8 of "8x7b" with end at the x.
std::optional<double> number_before(std::string_view text, std::size_t end) {
    std::size_t begin = end;
    while (begin > 0 && (std::isdigit(static_cast<unsigned char>(text[begin - 1])) != 0 ||
                         text[begin - 1] == '.'))
        --begin;
    double value = 0;
    const auto [rest, error] = std::from_chars(text.data() + begin, text.data() + end, value);
    return error == std::errc{} && begin < end ? std::optional{value} : std::nullopt;
}

/// Layers and width of a dense decoder of `params` parameters: h = 128 L, about the proportion of
/// published models (Kaplan 2020: loss hardly depends on it).
void shape_of_size(const TrainingMeasurement& row, Transformer& model, Assumptions& assumptions) {
    const double params = *row.params_b * 1e9;
    if (model.hidden == 0) {
        const double width = model.layers > 0 ? std::sqrt(params / (12.0 * d(model.layers)))
                                              : std::cbrt(params * 128.0 / 12.0);
        model.hidden = rounded_to(width, 128);
        assumptions.push_back(fmt::format("shape: hidden {} for the published size", model.hidden));
    }
    if (model.layers > 0)
        return;
    const double embedding = d(model.vocab) * d(model.hidden);
    const double layer = 12.0 * d(model.hidden) * d(model.hidden);
    const std::int64_t stages = row.pipeline.value_or(1);
    model.layers =
        stages * std::max<std::int64_t>(
                     1, std::llround(std::max(0.0, params - embedding) / (layer * d(stages))));
    assumptions.push_back(fmt::format("shape: {} layers for the published size", model.layers));
}

double attention_weights(const Transformer& model) {
    const auto h = static_cast<double>(model.hidden);
    const auto width = static_cast<double>(model.heads * model.head_dim);
    return h * width *
           (2.0 + 2.0 * static_cast<double>(model.kv_heads) / static_cast<double>(model.heads));
}

void settle_heads(const TrainingMeasurement& row, Transformer& model, Assumptions& assumptions) {
    if (row.heads)
        model.heads = *row.heads;
    if (row.kv_heads)
        model.kv_heads = *row.kv_heads;
    if (model.heads == 0) {
        model.heads = std::max<std::int64_t>(1, model.hidden / 128);
        assumptions.emplace_back("heads: of 128 numbers");
    }
    if (model.kv_heads == 0 || model.kv_heads > model.heads) {
        model.kv_heads = model.heads;
        const bool grouped = contains(row.arch, "gqa") && model.heads % 4 == 0;
        if (grouped) {
            model.kv_heads = model.heads / 4;
            assumptions.emplace_back("kv_heads: a quarter of the heads");
        }
    }
    if (model.head_dim == 0)
        model.head_dim = std::max<std::int64_t>(1, model.hidden / model.heads);
}

void settle_ffn(const TrainingMeasurement& row, Transformer& model, Assumptions& assumptions) {
    // Tables of mixtures print the size of an expert.
    const bool of_expert = model.experts && row.ffn && model.experts->ffn == *row.ffn;
    if (row.ffn && !of_expert)
        model.ffn = *row.ffn;
    if (model.ffn > 0)
        return;
    const auto h = static_cast<double>(model.hidden);
    const auto matrices = static_cast<double>(model.ffn_matrices);
    double inner = model.ffn_matrices == 3 ? 8.0 * h / 3.0 : 4.0 * h;
    if (row.params_b && !contains(row.arch, "moe")) {
        const double embedding =
            (model.tied_embedding ? 1.0 : 2.0) * static_cast<double>(model.vocab) * h;
        const double left = (*row.params_b * 1e9 - embedding) / static_cast<double>(model.layers) -
                            attention_weights(model);
        if (left / (matrices * h) > h && left / (matrices * h) < 8.0 * h)
            inner = left / (matrices * h);
    }
    model.ffn = rounded_to(inner, 128);
    assumptions.push_back(fmt::format("ffn: {}", model.ffn));
}

[[noreturn]] void fail_experts(const TrainingMeasurement& row, const Architectures& known) {
    const std::vector<std::string> names = known.names();
    throw ModelError{"experts",
                     "neither the columns experts and top_k nor the catalogue say how many " +
                         in_quotes(row.model) + " has",
                     nearest_names(row.model, names).empty() ? std::string{}
                                                             : suggestion(row.model, names)};
}

/// Sets the layers. Those with windows keep their share; layers without experts are the first ones,
/// one at least becomes a mixture.
void cut_to(std::int64_t layers, Transformer& model) {
    if (model.layers > layers) {
        model.windows.layers = model.windows.layers * layers / model.layers;
        if (model.experts)
            model.experts->dense_layers =
                std::min(model.experts->dense_layers, std::max<std::int64_t>(0, layers - 1));
    }
    model.layers = layers;
}

/// Takes what the notes say about the network, in place of the catalogue's.
void take_notes(const TrainingMeasurement& row, Transformer& model, Assumptions& assumptions) {
    const NotedShape noted = noted_shape(row.notes);
    if (noted.latent)
        model.latent = noted.latent;
    if (noted.head_dim)
        model.head_dim = *noted.head_dim;
    if (!model.experts && !noted.experts)
        return;
    const bool is_new = !model.experts;
    Experts experts = model.experts.value_or(Experts{});
    experts.count = noted.experts.value_or(experts.count);
    experts.per_token = noted.per_token.value_or(experts.per_token);
    if (noted.expert_ffn)
        experts.ffn = *noted.expert_ffn;
    else if (is_new && row.ffn)
        experts.ffn = *row.ffn;
    if (noted.shared)
        experts.shared_ffn = *noted.shared * experts.ffn;
    if (noted.dense_layers && *noted.dense_layers < model.layers)
        experts.dense_layers = *noted.dense_layers;
    if (noted.dense_ffn)
        model.ffn = *noted.dense_ffn;
    if (experts.per_token < 1 || experts.ffn < 1)
        return; // settle_experts says what is missing
    model.experts = experts;
    if (is_new)
        assumptions.push_back(
            fmt::format("experts: {} of {}, as noted", experts.per_token, experts.count));
}

/// The experts that the catalogue, the columns, the notes or a name such as "8x7B" state; 2 per
/// token if only the name does. The number of experts is never guessed: without it the row is
/// refused.
void settle_experts(const TrainingMeasurement& row,
                    const Architectures& known,
                    Transformer& model,
                    Assumptions& assumptions) {
    Experts experts = model.experts.value_or(Experts{0, 0, model.ffn, 0});
    const std::string words = lower_case(row.model);
    if (const std::size_t times = words.find('x'); times != std::string::npos && !model.experts)
        if (const std::optional<double> count = number_before(words, times)) {
            experts.count = std::llround(*count);
            experts.per_token = 2;
        }
    const bool named = experts.count > 0 && !model.experts && !row.experts_per_token;
    experts.count = row.experts.value_or(experts.count);
    experts.per_token = row.experts_per_token.value_or(experts.per_token);
    if (experts.count < 2 || experts.per_token < 1)
        fail_experts(row, known);
    if (experts.per_token > experts.count)
        throw ModelError{
            "top_k", fmt::format("{} of {} experts", experts.per_token, experts.count), ""};
    if (named)
        assumptions.push_back(fmt::format("experts: {} per token", experts.per_token));
    model.experts = experts;
}

} // namespace

bool is_generic_network(std::string_view words, std::string_view layers) {
    const std::string arch = lower_case(words);
    const bool says_so = contains(arch, "cnn") || contains(arch, "conv") ||
                         contains(arch, "resnet") || contains(arch, "generic") ||
                         contains(arch, "rnn") || contains(arch, "lstm") ||
                         contains(arch, "dlrm") || contains(arch, "diffusion");
    return says_so && layers.empty();
}

Transformer measured_transformer(const TrainingMeasurement& row,
                                 const Architectures& known,
                                 Assumptions& assumptions) {
    Transformer model;
    const std::string arch = lower_case(row.arch);
    const Transformer* named = architecture_named(row.model, known);
    // Fewer layers: a cut network, which benchmarks of one node run.
    const bool same_shape = named != nullptr && (!row.layers || *row.layers <= named->layers) &&
                            (!row.hidden || *row.hidden == named->hidden);
    if (same_shape) {
        model = *named;
        model.activation_copies.reset(); // measured with one stack's kernels, perhaps not the row's
        if (!row.layers || !row.hidden || !row.heads || !row.ffn || !row.vocab)
            assumptions.push_back("shape: " + named->name + " where the row is empty");
    } else {
        const bool gated = contains(arch, "swiglu") || contains(arch, "llama") ||
                           contains(arch, "geglu") || contains(arch, "mistral") ||
                           contains(arch, "mixtral") || contains(arch, "qwen") ||
                           contains(arch, "deepseek") || contains(arch, "gated");
        model.ffn_matrices = gated ? 3 : 2;
        model.dropout = !gated;
        model.tied_embedding = !gated;
        model.causal = !contains(arch, "bert") && !contains(arch, "encoder");
    }
    model.name = row.model;
    if (row.layers)
        cut_to(*row.layers, model);
    if (row.hidden)
        model.hidden = *row.hidden;
    if (row.vocab)
        model.vocab = *row.vocab;
    take_notes(row, model, assumptions);
    if (model.vocab == 0) {
        model.vocab = model.ffn_matrices == 3 ? 128256 : 51200;
        assumptions.push_back(fmt::format("vocab: {}", model.vocab));
    }
    if (model.layers == 0 || model.hidden == 0) {
        if (!row.params_b)
            throw ModelError{"layers", "neither shape nor params_b is published", ""};
        shape_of_size(row, model, assumptions);
    }
    settle_heads(row, model, assumptions);
    settle_ffn(row, model, assumptions);
    if (model.experts || contains(arch, "moe") || contains(arch, "mixtral") || row.experts)
        settle_experts(row, known, model, assumptions);
    model.sequence = row.sequence.value_or(model.sequence);
    if (model.sequence == 0) {
        model.sequence = 2048;
        assumptions.emplace_back("seq: 2048");
    }
    return model;
}

}} // namespace bursar::scenarios
