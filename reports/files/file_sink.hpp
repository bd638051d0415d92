#pragma once

#include <filesystem>

#include "reports/text/text_sink.hpp"

namespace bursar {

/// Writes text to a file. Every failure is a ReportError with the file and the system's words.
class FileSink final : public TextSink {
  public:
    /// Creates the file, or empties it.
    explicit FileSink(std::filesystem::path path);
    ~FileSink() override;

    /// Writes what is left and closes; to be called once, last. What it returns from is on its way
    /// to the disk: a full disk or a broken one is noticed here at the latest.
    void close();

  private:
    void drain(std::string_view text) override;
    [[noreturn]] void fail(const char* operation) const;

    std::filesystem::path path_;
    int descriptor_{-1};
};

} // namespace bursar
