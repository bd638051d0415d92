#include "reports/result/content_hash.hpp"

#include <new>

#include <fmt/format.h>
#include <xxhash.h>

#include "reports/text/decimal.hpp"

namespace bursar { inline namespace reports {

struct HashedSink::State {
    XXH3_state_t* running = XXH3_createState();

    State() {
        if (running == nullptr)
            throw std::bad_alloc{};
        XXH3_64bits_reset(running);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { XXH3_freeState(running); }
};

HashedSink::HashedSink(TextSink& sink) : sink_{sink}, state_{std::make_unique<State>()} {}

HashedSink::~HashedSink() = default;

std::uint64_t HashedSink::hash() {
    flush();
    return XXH3_64bits_digest(state_->running);
}

void HashedSink::drain(std::string_view text) {
    XXH3_64bits_update(state_->running, text.data(), text.size());
    sink_.put(text);
}

bool has_right_hash(std::string_view saved) {
    const std::size_t end = saved.rfind(fmt::format(",\n  \"{}\"", content_hash_key));
    if (end == std::string_view::npos)
        return false;
    const std::uint64_t hash = XXH3_64bits(saved.data(), end);
    return saved.substr(end) ==
           fmt::format(",\n  \"{}\": \"{}\"\n}}\n", content_hash_key, hash_text(hash));
}

}} // namespace bursar::reports
