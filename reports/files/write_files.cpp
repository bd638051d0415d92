#include "reports/files/write_files.hpp"

#include <cerrno>
#include <charconv>
#include <deque>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "reports/errors/report_error.hpp"
#include "reports/files/file_calls.hpp"
#include "reports/files/locked_folder.hpp"
#include "reports/files/pending_file.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_make(const fs::path& directory, const std::string& why) {
    throw ReportError{terminal_text(directory.string()) + ": cannot make the directory: " + why};
}

/// Makes the folder and those above it, and flushes the new entries to the disk.
void make_directory(const fs::path& directory) {
    std::error_code error;
    std::vector<fs::path> made;
    for (fs::path one = directory; !one.empty() && !fs::exists(one, error); one = one.parent_path())
        made.push_back(one);
    fs::create_directories(directory, error);
    if (error)
        fail_to_make(directory, error.message());
    for (const fs::path& one : made)
        sync_folder(one.has_parent_path() ? one.parent_path() : ".");
}

/// Throws where the folder, or a file in it, cannot be made.
void check_folder(const fs::path& directory) {
    fs::path nearest = directory; // that is there
    std::error_code error;
    fs::file_status status = fs::status(nearest, error);
    while (status.type() == fs::file_type::not_found && !nearest.empty()) {
        nearest = nearest.parent_path();
        status = fs::status(nearest.empty() ? "." : nearest, error);
    }
    if (status.type() != fs::file_type::none && !fs::is_directory(status))
        fail_to_make(directory, std::generic_category().message(ENOTDIR));
    if (::access(nearest.empty() ? "." : nearest.c_str(), W_OK | X_OK) != 0)
        fail_file(directory, "be written into", errno);
}

/// Puts all files in their places or, where one fails, none.
void put_in_places(std::deque<PendingFile>& files) {
    const HeldSignals no_stop_between;
    try {
        for (PendingFile& file : files)
            file.link();
        for (PendingFile& file : files)
            file.put_in_place();
    } catch (...) {
        for (PendingFile& file : files) {
            file.take_back();
            file.discard();
        }
        throw;
    }
    for (PendingFile& file : files)
        file.discard();
}

bool is_file(const fs::path& place) {
    std::error_code missing;
    const fs::file_type type = fs::symlink_status(place, missing).type();
    return type == fs::file_type::regular || type == fs::file_type::symlink;
}

void remove_others(const fs::path& directory, const std::vector<FileContent>& contents) {
    for (const FileContent& content : contents)
        for (const std::string& name : content.instead_of) {
            const fs::path other = directory / name;
            if (is_file(other) && ::unlink(other.c_str()) != 0)
                fail_file(other, "be removed", errno);
        }
}

/// A pipe, a device or an open file, written directly.
class OpenFile final : public TextSink {
  public:
    /// own: the descriptor of this process behind `place`.
    OpenFile(fs::path place, std::optional<int> own)
        : place_{std::move(place)},
          descriptor_{own ? ::fcntl(*own, F_DUPFD_CLOEXEC, 0)
                          : ::open(place_.c_str(), O_WRONLY | O_CLOEXEC)} {
        if (descriptor_ < 0)
            fail_file(place_, "be opened", errno);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile() override { ::close(descriptor_); }

  private:
    void drain(std::string_view text) override {
        if (!write_all(descriptor_, text))
            fail_file(place_, "be written", errno);
    }

    fs::path place_;
    int descriptor_;
};

/// The descriptor of this process behind a name like /dev/stdout. Its file is appended to as the
/// shell opened it (`>> all.csv`), not replaced.
std::optional<int> own_descriptor(fs::path path) {
    constexpr int max_links = 40;
    for (int links = 0; links < max_links; ++links) {
        std::error_code missing;
        const fs::path folder = fs::canonical(path.parent_path() / ".", missing);
        if (missing)
            return std::nullopt;
        if (folder == fs::canonical("/proc/self/fd", missing)) {
            const std::string name = path.filename().string();
            int descriptor = -1;
            const auto end = std::from_chars(name.data(), name.data() + name.size(), descriptor);
            return end.ec == std::errc{} ? std::optional{descriptor} : std::nullopt;
        }
        const fs::path target = fs::read_symlink(path, missing);
        if (missing)
            return std::nullopt;
        path = folder / target;
    }
    return std::nullopt;
}

/// The target of a link; the name itself where nothing is there.
fs::path target_of(const fs::path& path) {
    std::error_code missing;
    fs::path target = fs::canonical(path, missing);
    return missing ? path : target;
}

} // namespace

void check_place(const std::filesystem::path& directory,
                 std::string_view name,
                 const InputFiles& inputs) {
    check_folder(directory);
    const fs::path place = directory / name;
    std::error_code missing;
    const fs::file_type type = fs::symlink_status(place, missing).type();
    if (type == fs::file_type::directory)
        fail_file(place, "be replaced", EISDIR);
    if (type != fs::file_type::regular && type != fs::file_type::symlink &&
        type != fs::file_type::not_found && type != fs::file_type::none)
        throw ReportError{terminal_text(place.string()) + ": cannot be replaced: no regular file"};
    inputs.refuse(place);
}

void write_files(const std::filesystem::path& directory,
                 const std::vector<FileContent>& contents,
                 const InputFiles& inputs) {
    make_directory(directory);
    const LockedFolder alone{directory};
    // Before anything is replaced, so that a folder never has files of two runs.
    for (const FileContent& content : contents) {
        check_place(directory, content.name, inputs);
        for (const std::string& other : content.instead_of)
            inputs.refuse(directory / other);
    }
    std::deque<PendingFile> files; // they do not move
    for (const FileContent& content : contents)
        content.write(files.emplace_back(directory, content.name, inputs));
    for (PendingFile& file : files)
        file.finish();
    {
        const HeldSignals no_stop_between;
        put_in_places(files);
        remove_others(directory, contents);
    }
    sync_folder(directory);
}

void write_file(const fs::path& path,
                const InputFiles& inputs,
                const std::function<void(TextSink&)>& write) {
    std::error_code missing;
    const fs::file_status status = fs::status(path, missing);
    const std::optional<int> own = own_descriptor(path);
    if (own || (fs::exists(status) && !fs::is_regular_file(status))) {
        inputs.refuse(path);
        OpenFile file{path, own};
        write(file);
        file.flush();
        return;
    }
    const fs::path place = target_of(path);
    const fs::path directory = place.has_parent_path() ? place.parent_path() : ".";
    PendingFile file{directory, place.filename().string(), inputs};
    write(file);
    file.finish();
    {
        const HeldSignals no_stop_between;
        file.link();
        file.put_in_place();
        file.discard();
    }
    sync_folder(directory);
}

}} // namespace bursar::reports
