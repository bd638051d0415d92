#include "scenarios/catalog/architectures.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "scenarios/catalog/architecture_rule.hpp"
#include "scenarios/catalog/catalogue_file.hpp"
#include "scenarios/reader/list_rules.hpp"
#include "scenarios/reader/number_rules.hpp"
#include "scenarios/reader/quantity_rule.hpp"
#include "scenarios/reader/text_rules.hpp"

namespace bursar { inline namespace scenarios {
namespace {

constexpr std::int64_t max_size = 100'000'000; ///< of any dimension of a network
constexpr double max_parameters = 1e14;

constexpr std::array work_units{
    Unit{"MFLOP", 1'000'000}, Unit{"GFLOP", 1'000'000'000}, Unit{"TFLOP", 1'000'000'000'000}};
const Dimension works{
    "an amount of work", "24.6 GFLOP", work_units, 1'000'000'000'000'000'000, "1000000 TFLOP"};

/// An entry of the file: a network and its source.
template <class Network>
struct Entry {
    Network network;
    ArchitectureOrigin origin;
};

struct ArchitectureFile {
    std::vector<Entry<Transformer>> transformers;
    std::vector<Entry<GenericNetwork>> networks;
};

/// A key that fills a member of the entry's network.
template <class Network, class Member, ValueRule Rule>
KeyRow<Entry<Network>>
part(std::string key, Presence presence, Member Network::*member, Rule rule) {
    return key_row<Entry<Network>>(
        std::move(key), presence, within(&Entry<Network>::network, member), std::move(rule));
}

/// Whether entries have a source: in a catalogue, but not inside a scenario.
enum class OriginKeys : std::uint8_t { required, none };

template <class Network>
std::vector<Key<Entry<Network>>> with_origin(OriginKeys origins,
                                             std::vector<Key<Entry<Network>>> keys) {
    if (origins == OriginKeys::none)
        return keys;
    using O = ArchitectureOrigin;
    constexpr auto origin = &Entry<Network>::origin;
    keys.push_back(
        {required("source", within(origin, &O::source), text()), "where it was published"});
    keys.push_back(
        {required("date", within(origin, &O::date), calendar_day()), "when it was read"});
    return keys;
}

WholeNumberRule size(std::int64_t min = 1) {
    return whole_number(min, max_size);
}

Table<Experts> expert_keys() {
    return table<Experts>(
               {
                   {required("count", &Experts::count, size(2)), "routed experts of a layer"},
                   {required("per_token", &Experts::per_token, size()),
                    "experts a token goes through"},
                   {required("ffn", &Experts::ffn, size()), "inner size of one expert"},
                   {optional("shared_ffn", &Experts::shared_ffn, size(0)),
                    "inner size of the expert every token uses; 0: none"},
                   {optional("dense_layers", &Experts::dense_layers, size(0)),
                    "first layers with the dense block instead (0)"},
               })
        .check([](const Reader& at, Experts& experts, const KeysRead& read) {
            if (read.good("count") && read.good("per_token") && experts.per_token > experts.count)
                at.mistake_at("per_token",
                              fmt::format("{} experts per token", experts.per_token),
                              fmt::format("the layer has {}", experts.count));
        });
}

Table<LatentAttention> latent_keys() {
    using L = LatentAttention;
    return table<L>({
        {required("query_rank", &L::query_rank, size()), "numbers that queries are made of"},
        {required("key_rank", &L::key_rank, size()), "numbers that keys and values are made of"},
        {required("rotary_dim", &L::rotary_dim, size()), "of a head's key, what all heads share"},
        {required("value_dim", &L::value_dim, size()), "size of a head's value"},
    });
}

Table<Windows> window_keys() {
    return table<Windows>({
        {required("layers", &Windows::layers, size()), "how many layers do"},
        {required("tokens", &Windows::tokens, size()), "tokens they see"},
    });
}

/// Reports more layers of one kind than layers, and keys smaller than their shared part.
void check_layers(const Reader& at, const Transformer& model, const KeysRead& read) {
    if (!read.good("layers"))
        return;
    if (read.good("experts") && model.experts && model.experts->dense_layers >= model.layers)
        at.mistake_at("experts",
                      fmt::format("{} dense layers", model.experts->dense_layers),
                      fmt::format("the model has {} layers", model.layers));
    if (read.good("windows") && model.windows.layers > model.layers)
        at.mistake_at("windows",
                      fmt::format("{} layers", model.windows.layers),
                      fmt::format("the model has {}", model.layers));
    if (read.good("latent") && model.latent && model.latent->rotary_dim >= model.head_dim)
        at.mistake_at("latent",
                      fmt::format("a shared part of {} numbers", model.latent->rotary_dim),
                      fmt::format("a head has {}", model.head_dim));
}

/// Fills members that follow from other keys, and checks divisibility.
void complete(const Reader& at, Entry<Transformer>& entry, const KeysRead& read) {
    Transformer& model = entry.network;
    if (!read.good("hidden") || !read.good("heads") || !read.good("kv_heads") ||
        !read.good("head_dim"))
        return;
    if (model.kv_heads == 0)
        model.kv_heads = model.heads;
    if (model.heads % model.kv_heads != 0)
        at.mistake_at(
            "kv_heads",
            fmt::format("{} key-value heads do not divide {} heads", model.kv_heads, model.heads));
    if (model.head_dim == 0 && model.hidden % model.heads != 0)
        at.mistake_at(
            "heads",
            fmt::format("{} heads do not divide the hidden size {}", model.heads, model.hidden),
            {},
            "give head_dim");
    if (model.head_dim == 0)
        model.head_dim = model.hidden / model.heads;
    check_layers(at, model, read);
}

Table<Entry<Transformer>> transformer_keys(OriginKeys origins) {
    using T = Transformer;
    constexpr auto must = Presence::required;
    constexpr auto may = Presence::optional;
    return table<Entry<T>, complete>(with_origin<T>(
        origins,
        {
            {part("name", must, &T::name, text()), "unique; the value of `model`"},
            {part("layers", must, &T::layers, size()), "layers"},
            {part("hidden", must, &T::hidden, size()), "hidden size"},
            {part("ffn", must, &T::ffn, size()), "inner size of the feed-forward block"},
            {part("heads", must, &T::heads, size()), "attention heads"},
            {part("kv_heads", may, &T::kv_heads, size()), "key-value heads (all heads)"},
            {part("head_dim", may, &T::head_dim, size()), "size of a head (hidden / heads)"},
            {part("vocab", must, &T::vocab, size()), "vocabulary as trained, padding included"},
            {part("sequence", must, &T::sequence, size()), "tokens per sample as trained"},
            {part("feed_forward",
                  may,
                  &T::ffn_matrices,
                  ChoiceRule<std::int64_t>{{{"gelu", 2}, {"gated", 3}}}),
             "gelu: two matrices; gated (SwiGLU, GeGLU): three (gelu)"},
            {part("attends",
                  may,
                  &T::causal,
                  ChoiceRule<bool>{{{"backward", true}, {"both-ways", false}}}),
             "a decoder attends backward, an encoder both ways (backward)"},
            {part("logits",
                  may,
                  &T::tied_embedding,
                  ChoiceRule<bool>{{{"tied", true}, {"untied", false}}}),
             "whether they use the embedding's weights (tied)"},
            {part("dropout", may, &T::dropout, ChoiceRule<bool>{{{"kept", true}, {"none", false}}}),
             "whether training keeps dropout masks (kept)"},
            {part("experts", may, &T::experts, expert_keys()), "mixture of experts"},
            {part("latent", may, &T::latent, latent_keys()),
             "keys and values made of one short vector per token"},
            {part("windows", may, &T::windows, window_keys()),
             "layers that attend to the last tokens alone (none)"},
            {part("activation_copies", may, &T::activation_copies, positive_number()),
             "measured activation bytes per layer over 2 b s h (counted)"},
        }));
}

Table<Entry<GenericNetwork>> network_keys(OriginKeys origins) {
    using T = GenericNetwork;
    constexpr auto must = Presence::required;
    constexpr auto may = Presence::optional;
    const QuantityRule<ByteVolume> volume{
        byte_counts, Zero::allowed, [](Measure m) { return volume_of(Bytes{m.count}); }};
    return table<Entry<T>>(with_origin<T>(
        origins,
        {
            {part("name", must, &T::name, text()), "unique; the value of `model`"},
            {part("flops_per_sample",
                  must,
                  &T::flops_per_sample,
                  QuantityRule<Flops>{
                      works,
                      Zero::refused,
                      [](Measure m) { return Flops{static_cast<double>(m.count)}; }}),
             "forward and backward"},
            {part("parameters",
                  must,
                  &T::parameters,
                  NumberRule{1, Bound::included, max_parameters}),
             "trained numbers"},
            {part("activations_per_sample", may, &T::activations_per_sample, volume),
             "kept for the backward pass at 2 bytes a number (0 B: not known)"},
            {part("traffic_per_sample", may, &T::traffic_per_sample, volume),
             "device memory traffic of its memory-bound kernels (0 B: not known)"},
            {part("matrix_efficiency",
                  may,
                  &T::matrix_efficiency,
                  NumberRule{0, Bound::excluded, 1}),
             "share of the achievable rate its products reach (0.5)"},
            {part("host_per_pass",
                  may,
                  &T::host_per_pass,
                  QuantityRule<Seconds>{
                      durations,
                      Zero::allowed,
                      [](Measure m) { return Seconds{static_cast<double>(m.count) / 1e3}; }}),
             "to launch one forward and backward pass (0 s)"},
        }));
}

CatalogueFile<ArchitectureFile> architecture_file() {
    return CatalogueFile{table<ArchitectureFile>({
                             {optional("transformers",
                                       &ArchitectureFile::transformers,
                                       list_of(transformer_keys(OriginKeys::required))),
                              "transformers"},
                             {optional("networks",
                                       &ArchitectureFile::networks,
                                       list_of(network_keys(OriginKeys::required))),
                              "any other networks"},
                         }),
                         [](const Reader& root) {
                             UniqueNames names;
                             names.claim_names(root, "transformers");
                             names.claim_names(root, "networks");
                         }};
}

Architectures architectures_of(ArchitectureFile file) {
    Architectures architectures;
    const auto take = [&](auto& entries) {
        for (auto& entry : entries) {
            architectures.all.emplace_back(std::move(entry.network));
            architectures.origins.push_back(std::move(entry.origin));
        }
    };
    take(file.transformers);
    take(file.networks);
    return architectures;
}

template <class Network>
std::optional<Architecture> read_inline(const Reader& at, const Table<Entry<Network>>& keys) {
    auto entry = keys.read(at);
    return entry ? std::optional{Architecture{std::move(entry->network)}} : std::nullopt;
}

EntryRule<Architectures> named(const Architectures& known) {
    return {&known, read_architectures, "--architectures"};
}

} // namespace

std::optional<Architecture> ArchitectureRule::read(const Reader& at) const {
    if (at.node().kind != NodeKind::mapping)
        return named(*known).read(at);
    return at.find("flops_per_sample") ? read_inline(at, network_keys(OriginKeys::none))
                                       : read_inline(at, transformer_keys(OriginKeys::none));
}

Schema ArchitectureRule::schema() const {
    return {{"anyOf",
             {named(*known).schema(),
              network_keys(OriginKeys::none).schema(),
              transformer_keys(OriginKeys::none).schema()}}};
}

const std::string& name(const Architecture& architecture) {
    return std::visit([](const auto& network) -> const std::string& { return network.name; },
                      architecture);
}

const Architecture* Architectures::find(std::string_view name) const {
    const auto found = std::ranges::find_if(
        all, [&](const Architecture& one) { return bursar::name(one) == name; });
    return found == all.end() ? nullptr : &*found;
}

const ArchitectureOrigin& Architectures::origin(const Architecture& architecture) const {
    assert(&architecture >= all.data() && &architecture < all.data() + all.size());
    return origins[static_cast<std::size_t>(&architecture - all.data())];
}

std::vector<std::string> Architectures::names() const {
    std::vector<std::string> names;
    for (const Architecture& one : all)
        names.push_back(bursar::name(one));
    return names;
}

const Architectures& builtin_architectures() {
    static const Architectures architectures =
        read_architectures_text(builtin_architectures_yaml, "architectures.yaml");
    return architectures;
}

Architectures read_architectures(const std::string& path) {
    return architectures_of(architecture_file().read(path));
}

Architectures read_architectures_text(std::string_view text, const std::string& file) {
    return architectures_of(architecture_file().read_text(text, file));
}

}} // namespace bursar::scenarios
