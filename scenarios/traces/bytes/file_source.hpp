#pragma once

#include <string>

#include "scenarios/traces/bytes/byte_source.hpp"

namespace bursar { inline namespace scenarios {

/// The bytes of a file as they are stored. Pipes work too: nothing is sought.
class FileSource final : public ByteSource {
  public:
    /// Throws ScenarioError with the system's words: no such file, permission denied, ...
    explicit FileSource(std::string path);
    ~FileSource() override;

    std::size_t read(std::span<char> into) override;

  private:
    std::string path_;
    int descriptor_;
};

}} // namespace bursar::scenarios
