#include "tools/model/options/shape_options.hpp"

#include <fmt/format.h>

#include "models/errors/model_error.hpp"

#include "scenarios/catalog/architectures.hpp"
#include "scenarios/errors/fail_input.hpp"
#include "scenarios/errors/in_quotes.hpp"
#include "scenarios/errors/nearest_name.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::int64_t usual_vocabulary = 51'200; ///< GPT-2's, padded by Megatron-LM
constexpr std::int64_t usual_sequence = 2'048;
constexpr std::int64_t max_size = 100'000'000; ///< as in a catalogue of networks

} // namespace

void ShapeOptions::add_to(Command command) {
    const auto size = [&](const char* flag, std::optional<std::int64_t>& value, const char* help) {
        return command.add_option(flag, value, up_to(max_size), help).type_name("N");
    };
    Option model = command.add_option("--model", model_, "a network of `bursar catalog models`")
                       .type_name("NAME")
                       .completes([] { return builtin_architectures().names(); });
    command.add_option("--architectures", file_, "network catalogue in place of the built-in one")
        .type_name("FILE");
    size("--sequence,--seq", sequence_, "tokens per sample (default: the model's)");
    size("--layers", layers_, "a custom transformer: layers").excludes(model);
    size("--hidden", hidden_, "its hidden size").excludes(model);
    size("--heads", heads_, "its attention heads").excludes(model);
    size("--kv-heads", kv_heads_, "its key-value heads (default: --heads)").excludes(model);
    size("--ffn", ffn_, "its feed-forward size (default: 4 x hidden)").excludes(model);
    size("--vocab", vocab_, "its vocabulary (default: 51200)").excludes(model);
    Option experts = command
                         .add_option("--experts",
                                     experts_,
                                     WholeRange{2, max_size},
                                     "its experts per layer, each of --ffn (default: none)")
                         .type_name("N")
                         .excludes(model);
    size("--experts-per-token", experts_per_token_, "experts per token (default: 2)")
        .excludes(model)
        .needs(experts);
    command.add_flag("--gated", gated_, "its feed-forward block is gated (SwiGLU)").excludes(model);
}

Architectures ShapeOptions::known() const {
    return file_.empty() ? builtin_architectures() : read_architectures(file_);
}

Transformer ShapeOptions::own_shape() const {
    if (!layers_ || !hidden_ || !heads_)
        throw ModelError{"model",
                         "missing",
                         "name one of `bursar catalog models`, or give --layers, --hidden and "
                         "--heads"};
    Transformer model;
    model.name = "own";
    model.layers = *layers_;
    model.hidden = *hidden_;
    model.ffn = ffn_.value_or(4 * *hidden_);
    model.heads = *heads_;
    model.kv_heads = kv_heads_.value_or(*heads_);
    if (model.hidden % model.heads != 0)
        throw ModelError{
            "heads",
            fmt::format("{} heads do not divide the hidden size {}", model.heads, model.hidden),
            {}};
    model.head_dim = model.hidden / model.heads;
    model.vocab = vocab_.value_or(usual_vocabulary);
    model.sequence = usual_sequence;
    model.ffn_matrices = gated_ ? 3 : 2;
    model.dropout = !gated_; // gated stacks of the last years train without
    if (experts_ && experts_per_token_.value_or(2) > *experts_)
        throw ModelError{"experts-per-token",
                         fmt::format("{} of {} experts", experts_per_token_.value_or(2), *experts_),
                         "a token goes through different ones"};
    if (experts_)
        model.experts = Experts{*experts_, experts_per_token_.value_or(2), model.ffn, 0};
    return model;
}

const Architecture& ShapeOptions::named(const Architectures& architectures) const {
    const Architecture* found = architectures.find(model_);
    if (found == nullptr)
        fail_input({"--model"},
                   {},
                   mistake(fmt::format("no network is named {}", in_quotes(model_)),
                           {},
                           suggestion(model_, architectures.names())));
    return *found;
}

Architecture ShapeOptions::architecture() const {
    Architecture found = model_.empty() ? Architecture{own_shape()} : named(known());
    if (auto* transformer = std::get_if<Transformer>(&found); transformer != nullptr && sequence_)
        transformer->sequence = *sequence_;
    return found;
}

Transformer ShapeOptions::transformer() const {
    Architecture found = architecture();
    if (auto* transformer = std::get_if<Transformer>(&found))
        return std::move(*transformer);
    throw ModelError{"model",
                     fmt::format("{} is not a transformer", name(found)),
                     "`bursar model step` knows what any network takes"};
}

std::string ShapeOptions::source() const {
    if (model_.empty())
        return "the command line";
    const Architectures architectures = known();
    const ArchitectureOrigin& origin = architectures.origin(named(architectures));
    return fmt::format("{} ({})", origin.source, origin.date);
}

}} // namespace bursar::tools
