/**
 * Entries that get into an index table as HFiles: as threads of the builder write them ({@link
 * io.deli.tools.files.EntryFiles}), and what that shares with a build by MapReduce.
 *
 * <p>A file that is loaded is to HBase as if its cells had just been put, which is what Puts do: a
 * tombstone for an entry masks it whether it came before or after.
 */
package io.deli.tools.files;
