// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

/// Files and folders that are being written have a temporary name, ".twosphere-PID-N", in the
/// directory of their target. The writer holds a lock on them: without a lock, the writer was
/// killed.
namespace twosphere::temporary {

/// A name in this folder that this process has not used yet.
std::string name(const std::string& folder, std::string_view ending = {});

/// Locks an open file or folder as long as it is open. A file system without locks is not an error:
/// there the process number in the name is checked alone.
void lock(int descriptor);

/// Removes temporary files and folders of this user in `folder` whose process no longer exists.
/// Errors are ignored.
void remove_abandoned(const std::string& folder);

/// Writes the entries of a folder to disk (fsync), so that they survive a power failure.
void sync_folder(const std::string& folder);

}  // namespace twosphere::temporary
