// Package nodehash holds the nodes of a search in one array of fixed size, found by the key of their position.
//
// # Words
//
// A slot is a place in the table. Its key says which position it stands for: the 64-bit Zobrist hash, the side to move
// (turn) and the move number (moves, the ply). The same position at another ply is another node, so the graph of nodes
// has no cycles. A node is what the search stores in a slot, the payload; its type is the table's type parameter.
// The home of a key is the slot at which looking for it begins; it goes on with the next slot, from the last one to
// slot 0 (linear probing).
//
// # Memory
//
// Keys and nodes lie in two arrays under the same index. Looking for a key reads only the first one, where four slots
// share a cache line; the node's line is loaded at the same time once the branch is guessed right.
//
//	index     0         1         2               Cap()-1
//	keys    ┌─────────┬─────────┬─────────┬─── ─┬─────────┐
//	        │hash meta│hash meta│hash meta│  …  │hash meta│   16 bytes a slot
//	        └─────────┴─────────┴─────────┴─── ─┴─────────┘
//	nodes   ┌─────────┬─────────┬─────────┬─── ─┬─────────┐
//	        │    N    │    N    │    N    │  …  │    N    │   Node(i)
//	        └─────────┴─────────┴─────────┴─── ─┴─────────┘
//
//	meta    63         32 31     24 23         8 7       3   2   1     0
//	       ┌─────────────┬─────────┬────────────┬─────────┬────┬─────────┐
//	       │ generation  │    0    │   moves    │    0    │turn│  state  │
//	       └─────────────┴─────────┴────────────┴─────────┴────┴─────────┘
//
//	state   0 empty      never used, or given back: a search for a key ends here
//	        1 busy       a worker is writing the slot: everyone else waits
//	        2 used       holds a node
//	        3 deleted    was freed: a search for a key passes over it, an insert may take it
//
// The table never grows, and while workers run a slot in use never moves, so an index stays good until Free or Clear. Only Remove
// moves slots, while all workers are parked; an index from before is then a hint to be checked (Holds).
//
// # Invariant
//
// For every used slot i, FindSameHashIndex(key of i) is i. (Only SearchEmptyIndex, which as in the book never compares
// keys, can store a key twice; then the slot nearest to the home is found.)
//
// # Many workers
//
// FindSameHashIndex, FindOrClaim, Touch, Node, Entry, Used and Stats may be called by any number of workers at once.
// SearchEmptyIndex is for one worker. Remove, Free, Sweep, Clear and SetGeneration are called only while all workers are parked.
//
// FindOrClaim never stores a key twice. The argument, for the time between two parkings:
//
//  1. A slot that a worker has seen used or deleted never becomes empty, and a used one keeps its key: the only ways are
//     empty→busy, deleted→busy, busy→used, and busy→empty back by the worker that made it busy from empty. Everyone
//     else waits at a busy slot, so that detour is not seen.
//  2. Hence for one key the first empty slot of its probe sequence is the same for all workers, until someone fills it.
//     A worker that wants to insert must make exactly this slot busy first, by compare-and-swap: the gate of the key.
//     While it holds the gate nobody else can insert this key, since they all wait at it.
//  3. If all slots before the gate held other keys, the holder writes its key into the gate. A later worker with the
//     same key finds the gate used and equal.
//  4. If some slots before the gate were deleted, another worker may have put the key into one of them after the holder
//     had passed it. So the holder looks through them again. If it finds the key it returns that slot. Otherwise it takes
//     the first slot that is still deleted (compare-and-swap, against workers with other keys), publishes its key there
//     and only then opens the gate by making it empty again. The next worker that gets the gate has passed a deleted
//     slot, looks again, and finds the key. Busy slots need not be waited for in this second look: they belong to
//     workers with other keys. So nobody waits while holding a gate, and there is no deadlock.
//  5. If the sequence has no empty slot at all, none will appear before the next parking (1). Then one lock for the
//     whole table is the gate. Sweep makes this rare.
//
// The hash is written while the slot is busy and read only after meta has been seen used, so it needs no atomic access.
//
// # The book's names
//
// The table follows the node hash of Tadao Yamaoka's book on shogi AI (python-dlshogi); docs/nodehash.md has the whole
// list. NodeHash is Table, NodeHashEntry is Entry, UCT_HASH_SIZE is Cap, hash_to_index is HashToIndex,
// search_empty_index is SearchEmptyIndex, find_same_hash_index is FindSameHashIndex. UctNode is the payload N, which the
// package uct defines. save_used_hash and delete_old_hash, which mark the nodes below the new root and drop all others,
// are replaced by Touch (the generation of the last visit), Remove, Free and Sweep: they keep the invariant, which the book's
// sweep breaks because its search for a key stops at a dropped entry even if the key was stored behind it.
package nodehash
