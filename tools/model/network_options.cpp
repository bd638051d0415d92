#include "tools/model/network_options.hpp"

#include <fmt/format.h>

#include "models/errors/model_error.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::int64_t usual_vocabulary = 51'200; ///< GPT-2's, padded by Megatron-LM
constexpr std::int64_t usual_sequence = 2'048;
constexpr std::int64_t max_size = 100'000'000; ///< as in a catalogue of networks

Transformer custom_shape(const NetworkOptions& options) {
    if (!options.layers || !options.hidden || !options.heads)
        throw ModelError{"model",
                         "missing",
                         "name one of `bursar catalog models`, or give --layers, --hidden and "
                         "--heads"};
    Transformer model;
    model.name = "own";
    model.layers = *options.layers;
    model.hidden = *options.hidden;
    model.ffn = options.ffn.value_or(4 * *options.hidden);
    model.heads = *options.heads;
    model.kv_heads = options.kv_heads.value_or(*options.heads);
    if (model.hidden % model.heads != 0)
        throw ModelError{
            "heads",
            fmt::format("{} heads do not divide the hidden size {}", model.heads, model.hidden),
            {}};
    model.head_dim = model.hidden / model.heads;
    model.vocab = options.vocab.value_or(usual_vocabulary);
    model.sequence = usual_sequence;
    model.ffn_matrices = options.gated ? 3 : 2;
    model.dropout = !options.gated; // recent gated networks train without
    if (!options.experts)
        return model;
    const std::int64_t per_token = options.experts_per_token.value_or(2);
    if (per_token > *options.experts)
        throw ModelError{"experts-per-token",
                         fmt::format("{} of {} experts", per_token, *options.experts),
                         "the experts of a token are distinct"};
    model.experts = Experts{*options.experts, per_token, model.ffn, 0};
    return model;
}

} // namespace

OptionTable<NetworkOptions> network_options() {
    using T = NetworkOptions;
    const auto size = whole_in(up_to(max_size));
    return option_table<T>(
               {{{"--model", &T::model, name_among([] { return builtin_architectures().names(); })},
                 "a network of `bursar catalog models`"},
                {{"--architectures", &T::file, file_name()},
                 "network catalogue in place of the built-in one"},
                {{"--sequence,--seq", &T::sequence, size},
                 "tokens per sample (default: the model's)"},
                {{"--layers", &T::layers, size}, "a custom transformer: layers"},
                {{"--hidden", &T::hidden, size}, "its hidden size"},
                {{"--heads", &T::heads, size}, "its attention heads"},
                {{"--kv-heads", &T::kv_heads, size}, "its key-value heads (default: --heads)"},
                {{"--ffn", &T::ffn, size}, "its feed-forward size (default: 4 x hidden)"},
                {{"--vocab", &T::vocab, size}, "its vocabulary (default: 51200)"},
                {{"--experts", &T::experts, whole_in({2, max_size})},
                 "its experts per layer, each of --ffn (default: none)"},
                {{"--experts-per-token", &T::experts_per_token, size},
                 "experts per token (default: 2)"},
                {"--gated", &T::gated, "its feed-forward block is gated (SwiGLU)"}})
        .excludes("--model",
                  {"--layers",
                   "--hidden",
                   "--heads",
                   "--kv-heads",
                   "--ffn",
                   "--vocab",
                   "--experts",
                   "--experts-per-token",
                   "--gated"})
        .needs("--experts-per-token", "--experts");
}

Architectures architectures_of(const std::string& file) {
    return file.empty() ? builtin_architectures() : read_architectures(file);
}

const Architecture& network_named(const Architectures& architectures,
                                  const std::string& name,
                                  const std::string& option) {
    const Architecture* found = architectures.find(name);
    if (found == nullptr)
        fail_input(option, none_named("no network is", name, architectures.names()));
    return *found;
}

Architecture NetworkOptions::architecture() const {
    Architecture found = model.empty() ? Architecture{custom_shape(*this)}
                                       : network_named(architectures_of(file), model, "--model");
    if (auto* transformer = std::get_if<Transformer>(&found); transformer != nullptr && sequence)
        transformer->sequence = *sequence;
    return found;
}

Transformer NetworkOptions::transformer() const {
    Architecture found = architecture();
    if (auto* transformer = std::get_if<Transformer>(&found))
        return std::move(*transformer);
    throw ModelError{"model",
                     fmt::format("{} is not a transformer", name(found)),
                     "`bursar model step` takes any network"};
}

std::string NetworkOptions::source() const {
    if (model.empty())
        return "the command line";
    const Architectures architectures = architectures_of(file);
    const ArchitectureOrigin& origin =
        architectures.origin(network_named(architectures, model, "--model"));
    return fmt::format("{} ({})", origin.source, origin.date);
}

}} // namespace bursar::tools
