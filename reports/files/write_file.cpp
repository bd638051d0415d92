#include "reports/files/write_file.hpp"

#include <cerrno>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "reports/files/file_error.hpp"
#include "reports/files/held_signals.hpp"
#include "reports/files/pending_file.hpp"
#include "reports/files/sync.hpp"
#include "reports/files/write_all.hpp"

namespace bursar { inline namespace reports {
namespace {

namespace fs = std::filesystem;

/// A pipe, a device or an open file, which takes text as it comes.
class OpenFile final : public TextSink {
  public:
    /// own: a descriptor of this process that the place stands for.
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

/// The descriptor of this process that a name like /dev/stdout leads to. A file that it stands for
/// is written on, as the shell opened it (`>> all.csv`), not replaced.
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

/// What the name leads to; the name itself where nothing is there.
fs::path target_of(const fs::path& path) {
    std::error_code missing;
    fs::path target = fs::canonical(path, missing);
    return missing ? path : target;
}

} // namespace

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
