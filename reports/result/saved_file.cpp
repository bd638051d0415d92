#include "reports/result/saved_file.hpp"

#include <new>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <xxhash.h>

#include "reports/errors/report_error.hpp"
#include "reports/result/json_reader.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Larger than any result: reading stops there, so that an endless file cannot fill the memory.
constexpr std::size_t max_saved_bytes = std::size_t{4} << 30;

/// Whether a text may be JSON; compressed files and devices are not.
bool begins_as_json(char first) {
    return first == '{' || first == ' ' || first == '\n' || first == '\r' || first == '\t';
}

bool has_right_hash(std::string_view text) {
    const std::size_t end = text.rfind(fmt::format(",\n  \"{}\"", content_hash_key));
    return end != std::string_view::npos &&
           text.substr(end) == fmt::format(",\n  \"{}\": \"{}\"\n}}\n",
                                           content_hash_key,
                                           hash_text(XXH3_64bits(text.data(), end)));
}

} // namespace

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

void read_saved_file(const std::filesystem::path& path, const SavedKind& kind, FileText& file) {
    const std::string name = terminal_text(path.string());
    const auto refuse = [&](const std::string& why) {
        throw BadResult{fmt::format("{}: not a saved {}: {}", name, kind.name, why)};
    };
    try {
        file.read(path, [&](std::string_view read) {
            if (!begins_as_json(read.front()))
                refuse(fmt::format("it does not begin as JSON ({})", kind.writer));
            if (read.size() > max_saved_bytes)
                refuse(fmt::format("more than {} GiB", max_saved_bytes >> 30));
        });
    } catch (const std::system_error& error) {
        throw BadResult{fmt::format("{}: cannot be read: {}", name, error.code().message())};
    }
}

void check_saved(const JsonReader& in, std::string_view text, const SavedKind& kind) {
    if (!in.has("kind") || !in.at("kind").is(kind.kind))
        in.fail(fmt::format("not a saved {} ({})", kind.name, kind.writer));
    const auto version = in.at("schema_version").integer<std::int64_t>();
    if (version != kind.version)
        in.fail(fmt::format(
            "schema_version is {} (this program reads {}); {}", version, kind.version, kind.again));
    if (!has_right_hash(text))
        in.fail(fmt::format("{} is missing or does not fit: the file was changed after it was "
                            "saved; {}",
                            content_hash_key,
                            kind.again));
}

}} // namespace bursar::reports
