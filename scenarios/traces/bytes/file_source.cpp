#include "scenarios/traces/bytes/file_source.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

[[noreturn]] void fail(const std::string& path, const char* problem, int error) {
    fail_input(path, mistake(problem, std::generic_category().message(error)));
}

} // namespace

FileSource::FileSource(std::string path)
    : path_{std::move(path)}, descriptor_{::open(path_.c_str(), O_RDONLY | O_CLOEXEC)} {
    if (descriptor_ < 0)
        fail(path_, "cannot open", errno);
    ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
}

FileSource::~FileSource() {
    ::close(descriptor_);
}

std::size_t FileSource::read(std::span<char> into) {
    while (true) {
        const ssize_t n = ::read(descriptor_, into.data(), into.size());
        if (n >= 0)
            return static_cast<std::size_t>(n);
        if (errno != EINTR)
            fail(path_, "cannot read", errno);
    }
}

}} // namespace bursar::scenarios
