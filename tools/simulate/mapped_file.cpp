#include "tools/simulate/mapped_file.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace bursar { inline namespace tools {
namespace {

[[noreturn]] void fail(int error) {
    throw std::system_error{error, std::generic_category()};
}

/// Closes it in any case.
struct Descriptor {
    int number{};
    ~Descriptor() {
        if (number >= 0)
            ::close(number);
    }
};

} // namespace

MappedFile::MappedFile(const std::string& path) {
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    struct stat facts {};
    if (file.number < 0 || ::fstat(file.number, &facts) != 0)
        fail(errno);
    if (S_ISDIR(facts.st_mode))
        fail(EISDIR);
    if (!S_ISREG(facts.st_mode))
        fail(ESPIPE); // a pipe can be read only once
    const auto size = static_cast<std::size_t>(facts.st_size);
    if (size == 0) // nothing to map
        return;
    void* const begin = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
    if (begin == MAP_FAILED)
        fail(errno);
    bytes_ = {static_cast<const std::byte*>(begin), size};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty())
        ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}} // namespace bursar::tools
