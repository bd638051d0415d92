#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/document/findings.hpp"
#include "scenarios/document/node.hpp"

namespace bursar { inline namespace scenarios {

/// Reads documents with their includes. `include: other.yaml` (or a list; later files win) at the
/// top of a file merges that file over the named documents. Mappings merge key by key; any other
/// value of the including file replaces the included one, lists as a whole. File names are relative
/// to the file that names them. The result has no `include` key.
///
/// Each file is read and parsed once, however often it is included; all of them together are at
/// most max_document_bytes.
///
/// A file that cannot be read or parsed, and files that include each other in a cycle, are
/// reported into the findings; the rest is still read.
class DocumentLoader {
  public:
    explicit DocumentLoader(Findings& findings) : findings_{findings} {}

    Node load_file(const std::string& path);

    /// Reads `text` as the content of a file named `name`; that file is not opened.
    Node load_text(std::string_view text, const std::string& name);

  private:
    /// The file with its includes. Throws std::system_error if it cannot be read.
    Node read(const std::string& path);
    std::string read_bytes(const std::string& path);
    Node parse(std::string_view text, const std::shared_ptr<const Source>& source);
    Node with_includes(Node node);
    void merge_included(Node& base, const Node& name);
    std::shared_ptr<const Source> next_source(const std::string& name, std::string directory);

    Findings& findings_;
    std::vector<std::string> open_files_; ///< canonical paths, outermost first
    std::map<std::string, Node> known_;   ///< the files read, by canonical path
    std::size_t num_bytes_{};             ///< of all files so far
    std::uint32_t num_sources_{};
};

/// Hash and names of a file and its includes.
struct DocumentFacts {
    std::uint64_t hash{};           ///< canonical_hash
    std::vector<std::string> files; ///< all that were read
};

/// Throws ScenarioError if the file cannot be read.
DocumentFacts document_facts(const std::string& path);

/// `winner` laid over `base`: mappings merge key by key, anything else of `winner` replaces.
Node merged(Node base, Node winner);

/// `path` as written in a document of `source`: absolute, or relative to that document.
std::string resolved_path(std::string_view path, const Source& source);

}} // namespace bursar::scenarios
