#pragma once

#include <memory>
#include <string>

#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar { inline namespace scenarios {

/// The plain bytes behind `stored`: gzip and zstd data are recognised by their first bytes (never
/// by a file's name) and decompressed on a thread of their own; anything else passes through.
/// Throws ScenarioError for xz, bzip2 and zip data, which are recognised but not read.
std::unique_ptr<ByteSource> decompressed(const std::string& file,
                                         std::unique_ptr<ByteSource> stored);

/// The plain bytes of the file `path`. Throws ScenarioError when it cannot be opened.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

}} // namespace bursar::scenarios
