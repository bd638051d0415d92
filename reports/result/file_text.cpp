#include "reports/result/file_text.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <new>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 22;

/// An open file that closes itself.
class SourceFile {
  public:
    explicit SourceFile(const std::filesystem::path& path)
        : descriptor_{::open(path.c_str(), O_RDONLY | O_CLOEXEC)} {
        if (descriptor_ < 0)
            fail();
    }
    SourceFile(const SourceFile&) = delete;
    SourceFile& operator=(const SourceFile&) = delete;
    ~SourceFile() { ::close(descriptor_); }

    /// 0 where it is not known before reading, as of a pipe.
    [[nodiscard]] std::size_t size() const {
        struct stat status {};
        if (::fstat(descriptor_, &status) != 0)
            fail();
        return S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;
    }

    /// Bytes read, at most `bytes`; 0 at the end.
    [[nodiscard]] std::size_t read(char* place, std::size_t bytes) const {
        for (;;) {
            if (const ssize_t got = ::read(descriptor_, place, bytes); got >= 0)
                return static_cast<std::size_t>(got);
            if (errno != EINTR)
                fail();
        }
    }

  private:
    [[noreturn]] static void fail() { throw std::system_error{errno, std::generic_category()}; }

    int descriptor_;
};

std::size_t page_bytes() {
    return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::size_t whole_pages(std::size_t bytes) {
    return (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
}

} // namespace

FileText::~FileText() {
    if (begin_ != nullptr)
        ::munmap(begin_, capacity_);
}

void FileText::read(const std::filesystem::path& path,
                    const std::function<void(std::string_view)>& check) {
    const SourceFile file{path};
    reserve(std::clamp(file.size() + 1, piece_bytes, std::size_t{1} << 30));
    for (;;) {
        if (size_ == capacity_)
            reserve(2 * capacity_);
        const std::size_t got = file.read(begin_ + size_, std::min(piece_bytes, capacity_ - size_));
        if (got == 0)
            return;
        size_ += got;
        check(text());
    }
}

void FileText::release(std::string_view part) const {
    const auto offset = static_cast<std::size_t>(part.data() - begin_);
    const std::size_t first = whole_pages(offset);
    const std::size_t last = (offset + part.size()) / page_bytes() * page_bytes();
    if (first < last)
        ::madvise(begin_ + first, last - first, MADV_DONTNEED); // else it stays: no harm
}

void FileText::reserve(std::size_t bytes) {
    const std::size_t capacity = whole_pages(bytes);
    void* const place = begin_ == nullptr ? ::mmap(nullptr,
                                                   capacity,
                                                   PROT_READ | PROT_WRITE,
                                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                                                   -1,
                                                   0)
                                          : ::mremap(begin_, capacity_, capacity, MREMAP_MAYMOVE);
    if (place == MAP_FAILED)
        throw std::bad_alloc{};
    begin_ = static_cast<char*>(place);
    capacity_ = capacity;
}

}} // namespace bursar::reports
