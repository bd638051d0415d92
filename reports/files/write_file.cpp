#include "reports/files/write_file.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "reports/files/file_error.hpp"
#include "reports/files/held_signals.hpp"
#include "reports/files/pending_file.hpp"
#include "reports/files/sync.hpp"
#include "reports/files/write_all.hpp"

namespace bursar::inline reports {
namespace {

namespace fs = std::filesystem;

/// A pipe or a device, which takes text as it comes.
class OpenFile final : public TextSink {
  public:
    explicit OpenFile(fs::path place)
        : place_{std::move(place)}, descriptor_{::open(place_.c_str(), O_WRONLY | O_CLOEXEC)} {
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
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        OpenFile file{path};
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
    }
    sync_folder(directory);
}

} // namespace bursar::inline reports
