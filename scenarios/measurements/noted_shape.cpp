#include "scenarios/measurements/noted_shape.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "scenarios/measurements/stated_settings.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Looks for phrases in the runs of letters and digits of a text.
class Phrases {
  public:
    explicit Phrases(std::string_view text) : runs_{runs_of(text)} {}

    /// The number at "#" in the first place where `phrase` stands: "# a token". Words of the
    /// phrase are matched whole, a second "#" is any number.
    [[nodiscard]] std::optional<std::int64_t> number(std::string_view phrase) const {
        const std::vector<std::string_view> words = split(phrase);
        const auto same = [](const std::string& run, std::string_view word) {
            return word == "#" ? is_number(run) : run == word;
        };
        const auto at = std::search(runs_.begin(), runs_.end(), words.begin(), words.end(), same);
        if (at == runs_.end())
            return std::nullopt;
        const std::string& digits = *(at + (std::ranges::find(words, "#") - words.begin()));
        std::int64_t value = 0;
        const auto [rest, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return error == std::errc{} && value > 0 ? std::optional{value} : std::nullopt;
    }

    /// The number of the first of `phrases` that is there.
    [[nodiscard]] std::optional<std::int64_t>
    first_number(std::initializer_list<std::string_view> phrases) const {
        for (const std::string_view phrase : phrases)
            if (const std::optional<std::int64_t> found = number(phrase))
                return found;
        return std::nullopt;
    }

  private:
    static std::vector<std::string_view> split(std::string_view phrase) {
        std::vector<std::string_view> words;
        while (!phrase.empty()) {
            const std::size_t end = std::min(phrase.find(' '), phrase.size());
            words.push_back(phrase.substr(0, end));
            phrase.remove_prefix(std::min(end + 1, phrase.size()));
        }
        return words;
    }

    std::vector<std::string> runs_;
};

} // namespace

NotedShape noted_shape(std::string_view notes) {
    const Phrases said{notes};
    NotedShape shape;
    shape.experts = said.first_number({"# routed experts", "# experts"});
    shape.expert_ffn = said.first_number({"routed experts of #", "experts of #"});
    shape.per_token = said.first_number({"# a token", "# per token"});
    shape.shared = said.first_number({"# shared expert", "# shared"});
    shape.dense_layers = said.first_number({"first # layers dense", "first # layer dense"});
    shape.dense_ffn = said.number("dense with ffn #");
    shape.head_dim = said.number("head dim #");
    const auto queries = said.number("q rank #");
    const auto keys = said.number("kv rank #");
    // The runs of "128+64 per head" are 128, 64, per, head.
    const auto rotary = said.number("# per head");
    std::optional<std::int64_t> value;
    if (rotary)
        value = said.number("# " + std::to_string(*rotary) + " per head");
    if (queries && keys && rotary && value) {
        shape.latent = LatentAttention{*queries, *keys, *rotary, *value};
        shape.head_dim = *value + *rotary;
    }
    return shape;
}

std::optional<std::int64_t> noted_offload(std::string_view notes) {
    return Phrases{notes}.first_number({"cpu offloading num layers #",
                                        "# of # layers offloaded",
                                        "# of the # layers offloaded",
                                        "# layers offloaded"});
}

std::optional<std::int64_t> noted_shard(std::string_view notes) {
    const auto ranks = Phrases{notes}.first_number({"zero 1 #", "over # gpus of a node"});
    return ranks > 1 ? ranks : std::nullopt;
}

}} // namespace bursar::scenarios
