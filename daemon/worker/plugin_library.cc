#include "daemon/worker/plugin_library.h"

#include <dlfcn.h>
#include <link.h>

#include <cstring>
#include <string_view>

#include "daemon/base/utf8.h"

namespace astrolabe::worker {
namespace {

constexpr char kHex[] = "0123456789abcdef";

// dlerror starts with the file's path, which is no business of the reader.
std::string WithoutPath(const std::string& text) {
  const size_t colon = text.find(": ");
  return colon != std::string::npos && text.front() == '/' ? text.substr(colon + 2) : text;
}

// Of the notes in a segment (elf(5)); empty: there is none.
std::string BuildIdIn(const char* at, size_t size) {
  const auto padded = [](size_t n) { return (n + 3) & ~size_t{3}; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const size_t name = padded(note.n_namesz);
    const size_t all = sizeof note + name + padded(note.n_descsz);
    if (all > size) return "";
    if (note.n_type == NT_GNU_BUILD_ID && std::string_view(at + sizeof note, name) == std::string_view("GNU", 4)) {
      std::string text;
      for (size_t i = 0; i < note.n_descsz; ++i) {
        const auto byte = static_cast<unsigned char>(at[sizeof note + name + i]);
        text += kHex[byte >> 4];
        text += kHex[byte & 15];
      }
      return text;
    }
    at += all;
    size -= all;
  }
  return "";
}

bool Has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

LoadFault FaultOfDlerror(const std::string& raw) {
  const std::string text = ToValidUtf8(raw);
  LoadFault fault;
  fault.message = WithoutPath(text);
  if (Has(text, "undefined symbol: ")) {
    fault.code = "MISSING_SYMBOL";
    fault.found = text.substr(text.find("undefined symbol: ") + 18);
    fault.expected = "every symbol defined in the plugin or in a library it is linked with";
    fault.hint = "link the plugin with -Wl,-z,defs to see missing symbols when it is built";
  } else if (Has(text, "version `") && Has(text, "not found")) {
    fault.code = "MISSING_LIBRARY";
    fault.expected = "system libraries at least as new as those the plugin was built with";
    fault.hint = "build the plugin on this system or an older one";
  } else if (Has(text, "static TLS block")) {
    fault.code = "MISSING_LIBRARY";
    fault.expected = "room for the plugin's initial-exec thread-local storage";
    fault.hint = "build the plugin without -ftls-model=initial-exec, or make its thread-local data smaller";
  } else if (Has(text, "wrong ELF class")) {
    fault.code = "WRONG_ARCH";
    fault.expected = "a library of this machine's architecture";
  } else if (Has(text, "invalid ELF header") || Has(text, "file too short")) {
    fault.code = "NOT_ELF";
    fault.expected = "a shared library";
  } else if (Has(text, "failed to map segment")) {
    fault.code = "NOEXEC";
    fault.hint = "the folder may be on a file system mounted noexec, or memory is short";
  } else if (Has(text, "executable stack")) {
    fault.code = "CONTRACT_VIOLATION";
    fault.expected = "no executable stack";
    fault.hint = "link the plugin with -Wl,-z,noexecstack";
  } else if (Has(text, "cannot open shared object file")) {
    fault.code = "MISSING_LIBRARY";
    fault.expected = "every library the plugin is linked with, installed or beside it with an $ORIGIN run path";
    const size_t end = text.find(": cannot open");
    fault.found = end == std::string::npos ? "" : text.substr(0, end);
    if (!fault.found.empty() && fault.found.front() == '/') fault.found.clear();
  } else {
    fault.code = "CORRUPT";
  }
  return fault;
}

std::variant<PluginLibrary, LoadFault> PluginLibrary::Open(const std::string& path) {
  if (path.find('/') == std::string::npos) {
    return LoadFault{"CORRUPT", "the plugin's path has no folder", "", "", "", "load"};
  }
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* text = ::dlerror();
    return FaultOfDlerror(text != nullptr ? text : "dlopen failed without a reason");
  }
  return PluginLibrary(handle);
}

PluginLibrary::PluginLibrary(void* handle) : handle_(handle) {
  link_map* map = nullptr;
  if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return;
  struct Search {
    const link_map* map;
    PluginLibrary* self;
  } search{map, this};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* arg) {
        const Search& wanted = *static_cast<Search*>(arg);
        if (info->dlpi_addr != wanted.map->l_addr || std::string_view(info->dlpi_name) != wanted.map->l_name) return 0;
        wanted.self->origin_.base = info->dlpi_addr;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          if (segment.p_type == PT_NOTE && wanted.self->origin_.build_id.empty()) {
            const auto* notes = reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr);
            wanted.self->origin_.build_id = BuildIdIn(notes, segment.p_memsz);
          }
          if (segment.p_type != PT_LOAD) continue;
          const CodeRange range{info->dlpi_addr + segment.p_vaddr, info->dlpi_addr + segment.p_vaddr + segment.p_memsz};
          if ((segment.p_flags & PF_X) != 0) wanted.self->code_.push_back(range);
          if ((segment.p_flags & PF_R) != 0) wanted.self->readable_.push_back(range);
        }
        return 1;
      },
      &search);
}

PluginLibrary::PluginLibrary(PluginLibrary&& other) noexcept = default;
PluginLibrary::~PluginLibrary() = default;  // see the header: never dlclose

const void* PluginLibrary::FindAddress(const char* symbol) const { return ::dlsym(handle_, symbol); }

bool PluginLibrary::Contains(const void* address, uint64_t size) const {
  const auto begin = reinterpret_cast<uintptr_t>(address);
  for (const CodeRange& range : readable_) {
    if (begin >= range.begin && begin <= range.end && size <= range.end - begin) return true;
  }
  return false;
}

}  // namespace astrolabe::worker
