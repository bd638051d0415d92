#include "reports/files/file_sink.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "reports/errors/report_error.hpp"
#include "reports/text/escape.hpp"

namespace bursar {

FileSink::FileSink(std::filesystem::path path)
    : path_{std::move(path)},
      descriptor_{::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)} {
    if (descriptor_ < 0)
        fail("open");
}

FileSink::~FileSink() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

void FileSink::close() {
    flush();
    if (::close(std::exchange(descriptor_, -1)) != 0)
        fail("close");
}

void FileSink::drain(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor_, text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            fail("write");
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

void FileSink::fail(const char* operation) const {
    const int error = errno;
    throw ReportError{terminal_text(path_.string()) + ": cannot " + operation + ": " +
                      std::generic_category().message(error)};
}

} // namespace bursar
