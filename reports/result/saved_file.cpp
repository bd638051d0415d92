#include "reports/result/saved_file.hpp"

#include <algorithm>
#include <cerrno>
#include <new>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "reports/errors/report_error.hpp"
#include "reports/result/json_reader.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Larger than any result: reading stops there, so that an endless file cannot fill the memory.
constexpr std::size_t max_saved_bytes = std::size_t{4} << 30;

/// Whether a text may be JSON; compressed files and devices are not.
bool begins_as_json(char first) {
    return first == '{' || first == ' ' || first == '\n' || first == '\r' || first == '\t';
}

bool has_right_hash(std::string_view text) {
    const std::size_t end = text.rfind(fmt::format(",\n  \"{}\"", content_hash_key));
    return end != std::string_view::npos &&
           text.substr(end) == fmt::format(",\n  \"{}\": \"{}\"\n}}\n",
                                           content_hash_key,
                                           hash_text(XXH3_64bits(text.data(), end)));
}

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

struct HashedSink::State {
    XXH3_state_t* running = XXH3_createState();

    State() {
        if (running == nullptr)
            throw std::bad_alloc{};
        XXH3_64bits_reset(running);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { XXH3_freeState(running); }
};

HashedSink::HashedSink(TextSink& sink) : sink_{sink}, state_{std::make_unique<State>()} {}

HashedSink::~HashedSink() = default;

std::uint64_t HashedSink::hash() {
    flush();
    return XXH3_64bits_digest(state_->running);
}

void HashedSink::drain(std::string_view text) {
    XXH3_64bits_update(state_->running, text.data(), text.size());
    sink_.put(text);
}

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

void read_saved_file(const std::filesystem::path& path, const SavedKind& kind, FileText& file) {
    const std::string name = terminal_text(path.string());
    const auto refuse = [&](const std::string& why) {
        throw BadResult{fmt::format("{}: not a saved {}: {}", name, kind.name, why)};
    };
    try {
        file.read(path, [&](std::string_view read) {
            if (!begins_as_json(read.front()))
                refuse(fmt::format("it does not begin as JSON ({})", kind.writer));
            if (read.size() > max_saved_bytes)
                refuse(fmt::format("more than {} GiB", max_saved_bytes >> 30));
        });
    } catch (const std::system_error& error) {
        throw BadResult{fmt::format("{}: cannot be read: {}", name, error.code().message())};
    }
}

void check_saved(const JsonReader& in, std::string_view text, const SavedKind& kind) {
    if (!in.has("kind") || !in.at("kind").is(kind.kind))
        in.fail(fmt::format("not a saved {} ({})", kind.name, kind.writer));
    const auto version = in.at("schema_version").integer<std::int64_t>();
    if (version != kind.version)
        in.fail(fmt::format(
            "schema_version is {} (this program reads {}); {}", version, kind.version, kind.again));
    if (!has_right_hash(text))
        in.fail(fmt::format("{} is missing or does not fit: the file was changed after it was "
                            "saved; {}",
                            content_hash_key,
                            kind.again));
}

}} // namespace bursar::reports
