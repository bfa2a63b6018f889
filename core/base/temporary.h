// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

/// What is being written stands beside its place under a name of its own, ".twosphere-PID-N", until
/// it is whole. Whoever writes it holds a lock on it: of what has none the writer was killed.
namespace twosphere::temporary {

/// A name that this program has not given yet, in that folder.
std::string name(const std::string& folder, std::string_view ending = {});

/// Locks an open file or folder for as long as it is open. A file system without locks is no error:
/// the number of the process stands for them there.
void hold(int descriptor);

/// Removes what programs that are gone have left in the folder, files and folders of this user's.
/// What cannot be removed stays.
void remove_abandoned(const std::string& folder);

/// Makes the entries of a folder last through a power cut, where the file system can.
void sync_folder(const std::string& folder);

}  // namespace twosphere::temporary
