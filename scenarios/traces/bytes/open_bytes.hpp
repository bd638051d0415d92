#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar { inline namespace scenarios {

/// The plain bytes of `stored`. gzip and zstd data are recognised by their first bytes (never by a
/// file's name) and decompressed on a separate thread; anything else passes through. Throws
/// ScenarioError for xz, bzip2 and zip data, which are recognised but not read.
std::unique_ptr<ByteSource> decompressed(const std::string& file,
                                         std::unique_ptr<ByteSource> stored);

/// The most bytes that are read of a file that is no trace of rows: of a packed one and of a plain
/// one. Traces of rows are streamed and may be larger.
inline constexpr std::size_t max_unpacked_bytes = std::size_t{256} << 20;
inline constexpr std::size_t max_plain_bytes = std::size_t{1} << 30;

/// The plain bytes of the file `path`. Throws ScenarioError when it cannot be opened, and while it
/// is read, where there are too many.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

/// The bytes of a file as stored. Works for pipes: it never seeks.
class FileSource final : public ByteSource {
  public:
    /// Throws ScenarioError with the system's message: no such file, permission denied, ...
    explicit FileSource(std::string path);
    ~FileSource() override;

    std::size_t read(std::span<char> into) override;

  private:
    std::string path_;
    int descriptor_;
};

/// Everything in `bytes`. Throws ScenarioError, naming `file`, where that is too much.
std::string whole_text(ByteSource& bytes, const std::string& file);

}} // namespace bursar::scenarios
