#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

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

/// The whole text of a file in memory. Parts that were parsed can be released one by one, so that
/// the text and the parsed data are not both in memory at full size.
class FileText {
  public:
    FileText() = default;
    FileText(const FileText&) = delete;
    FileText& operator=(const FileText&) = delete;
    ~FileText();

    /// Reads the file, once. check: called after each piece with the text so far, which is never
    /// empty; it may throw to stop. Throws std::system_error where the file cannot be read, and
    /// std::bad_alloc.
    void read(const std::filesystem::path& path,
              const std::function<void(std::string_view)>& check);

    [[nodiscard]] std::string_view text() const { return {begin_, size_}; }

    /// Frees the whole pages inside `part`, a part of text(), which must not be read again.
    void release(std::string_view part) const;

  private:
    void reserve(std::size_t bytes);

    char* begin_{};
    std::size_t size_{};
    std::size_t capacity_{}; ///< bytes at begin_, whole pages
};

/// Reads the whole file. Throws BadResult where it cannot be read, does not begin as JSON or has
/// more than 4 GiB.
void read_saved_file(const std::filesystem::path& path, const SavedKind& kind, FileText& file);

/// Throws BadResult where `in`, the whole of `text`, is of another kind or version, or has no
/// content hash or a wrong one.
void check_saved(const JsonReader& in, std::string_view text, const SavedKind& kind);

}} // namespace bursar::reports
