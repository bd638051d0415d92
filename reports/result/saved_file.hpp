#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "reports/result/file_text.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

class JsonReader;

/// A kind of file that bursar saves as JSON and reads again. It begins with `kind` and
/// `schema_version` and ends with `content_hash`; files of another version, and files that were
/// changed, are refused.
struct SavedKind {
    std::string_view kind;   ///< "bursar result"
    std::int64_t version;    ///< raised whenever a reader of the old form would be wrong
    std::string_view name;   ///< for messages: "result"
    std::string_view writer; ///< what writes it: "bursar run --out writes result.json"
    std::string_view again;  ///< advice: "run the scenario again"
};

/// The last key of a saved file: XXH3 (64 bits, as the hash of a scenario) over every byte of the
/// file before the comma that it follows. What comes after is fixed, so that no byte is left out.
inline constexpr std::string_view content_hash_key = "content_hash";

/// Hands its text on to another sink and hashes it.
class HashedSink final : public TextSink {
  public:
    explicit HashedSink(TextSink& sink);
    ~HashedSink() override;

    /// Of everything put so far.
    [[nodiscard]] std::uint64_t hash();

  private:
    struct State;

    void drain(std::string_view text) override;

    TextSink& sink_;
    std::unique_ptr<State> state_;
};

/// Reads the whole file. Throws BadResult where it cannot be read, does not begin as JSON or has
/// more than 4 GiB.
void read_saved_file(const std::filesystem::path& path, const SavedKind& kind, FileText& file);

/// Throws BadResult where `in`, the whole of `text`, is of another kind or version, or has no
/// content hash or a wrong one.
void check_saved(const JsonReader& in, std::string_view text, const SavedKind& kind);

}} // namespace bursar::reports
