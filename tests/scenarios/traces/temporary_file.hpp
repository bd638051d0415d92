#pragma once

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

namespace bursar::test {

/// A file that is removed by the destructor.
class TemporaryFile {
  public:
    explicit TemporaryFile(std::string_view content) {
        static std::atomic<int> count{0};
        path_ = (std::filesystem::temp_directory_path() /
                 ("bursar-test-" + std::to_string(::getpid()) + '-' + std::to_string(++count)))
                    .string();
        std::ofstream{path_, std::ios::binary}.write(content.data(),
                                                     static_cast<std::streamsize>(content.size()));
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() { std::filesystem::remove(path_); }

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

} // namespace bursar::test
