/**
 * The embedded index of files: for each block a Bloom filter and bounds of its tokens, and the
 * oldest and newest timestamp of versions that have any ({@code FileSketch}). What is done with
 * them, {@link io.deli.fileindex.internal.blocks} tells.
 *
 * <p>The bounds are in an interval tree, one for each file, since files come and go as a whole; in
 * the paper (Embedded index, section 3) one is for all of them, and changed by every compaction.
 * From newer to older blocks is the order of {@code NewestRows}, for those that a range meets.
 *
 * <p>A file has them in a block {@code deli.embedded <kind>} of its own. A file that was written
 * otherwise, by a bulk load or before there was the index, is read for them, which then are in
 * memory only. In bytes, behind its name, numbers as {@code DataOutput} writes them, bytes as
 * {@code Bytes.writeByteArray}:
 *
 * <pre>
 *   1 byte   format version
 *   int      number of blocks; of each
 *     bytes    first row that begins in it
 *     int      number of cells of the rows that begin in it
 *   of each block
 *     ...      bounds of the tokens, as {@link io.deli.query.TokenRange#write} has them
 *     long     oldest timestamp
 *     long     newest timestamp
 *     int      bits of the Bloom filter
 *     int      probes for a token
 *     bytes    the filter as {@code BitSet.toByteArray} gives it
 * </pre>
 */
package io.deli.fileindex.internal.embedded;
