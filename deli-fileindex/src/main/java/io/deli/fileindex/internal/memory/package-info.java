/**
 * An ordered index of what a store has in memory: LevelDB++, section 3, and Embedded index, section
 * 3, which keep a B-tree on the attribute beside the MemTable. NEXT has none, and looks at all of
 * memory; here its lookups use the same.
 *
 * <p>It is kept up inside of the store's memory ({@code IndexedMemStore}), and not by hooks of
 * writes: of these each way to write has others, replays and other coprocessors have none, and what
 * they are told of can be seen by readers already. HBase's own index of memory, by row, is left as
 * it is. For each token of each version there is an entry, ordered by token, newest first, row:
 *
 * <ul>
 *   <li>An entry is there before its version is, and stays until after it is gone. So what is
 *       missing here is missing in memory; what is there may be gone, hidden, or yet to come, as
 *       any candidate may.
 *   <li>Entries leave all together, with the flush of their versions. HBase may move or drop
 *       versions in memory as it likes: entries do not say where they are.
 *   <li>Where that cannot be held, since there is no room, a tokenizer fails, or memory was not
 *       empty when the index came, all entries are given up until the next flush, and lookups look
 *       at the versions one by one.
 * </ul>
 */
package io.deli.fileindex.internal.memory;
