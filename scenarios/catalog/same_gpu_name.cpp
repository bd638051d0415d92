#include "scenarios/catalog/same_gpu_name.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "scenarios/reader/plain_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Words that driver, vendor and shop add to a model's name; sorted.
constexpr std::array<std::string_view, 14> added_words{"amd",
                                                       "aws",
                                                       "geforce",
                                                       "google",
                                                       "gpu",
                                                       "hbm2",
                                                       "hbm2e",
                                                       "hbm3",
                                                       "hbm3e",
                                                       "instinct",
                                                       "intel",
                                                       "nvidia",
                                                       "quadro",
                                                       "tesla"};
static_assert(std::ranges::is_sorted(added_words));

/// The words that tell models apart, in lower case and sorted.
std::vector<std::string> telling_words(std::string_view name) {
    std::vector<std::string> words = words_of(name);
    std::erase_if(words, [](const std::string& word) {
        return std::ranges::binary_search(added_words, word);
    });
    std::ranges::sort(words);
    return words;
}

} // namespace

bool same_gpu_name(std::string_view a, std::string_view b) {
    const std::vector<std::string> words = telling_words(a);
    return !words.empty() && words == telling_words(b);
}

}} // namespace bursar::scenarios
