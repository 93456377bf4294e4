/// Whether something that is written waits for the disk. User document: docs/guide/security.md.
#pragma once

namespace filum::record {

enum class Durability {
  lasting,  ///< on the disk when the call returns, whatever happens to the machine
  quick     ///< for what can be rebuilt, or what somebody else waits for
};

}  // namespace filum::record
