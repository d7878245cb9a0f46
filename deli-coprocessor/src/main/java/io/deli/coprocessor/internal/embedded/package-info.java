/**
 * Embedded indexes: what is known of the base table's files lets a lookup leave out most of their
 * blocks.
 *
 * <p>Each store file has, for each column with such an index, a sketch of its blocks: first row,
 * Bloom filter and bounds of the tokens, oldest and newest timestamp. A lookup is an ordinary scan
 * whose rows are judged by {@link io.deli.coprocessor.internal.answer.TokenFilter}, as those of a
 * table without index are. What is here only leads it from one candidate to the next, so that a
 * mistake could lose hits, but never invent any:
 *
 * <ul>
 *   <li>A row that matches in no part of the store, file or memory, cannot match at all. So the
 *       candidates are the rows that match in some part ({@code Candidates}). Of memory every cell
 *       is looked at; the papers keep a tree of its tokens.
 *   <li>Of a file, a block is read only if its sketch does not exclude it, by itself and once; what
 *       does not match there is never looked for in the other files.
 *   <li>The scan seeks each candidate, in each file. The papers' GetLite, to look whether a newer
 *       file has the key, would lose hits here: the newer file may hold another column of the row,
 *       or a version whose delete is in an older one.
 * </ul>
 *
 * <p>Rows come in the order of their keys, as HBase's clients demand of a scan: they go on behind
 * the last row when a region moves. A scan that needs but the K newest hits of the region finds out
 * first which rows have these, from newer to older blocks ({@code NewestRows}), and then seeks them
 * as any other candidates.
 *
 * <p>Sketches are written with the files, each as a meta block {@code deli.embedded <kind>} of its
 * own: so they go where the file goes, to other regions and servers and into snapshots, and are as
 * old as it is. A file that was written otherwise, by a bulk load or before there was the index, is
 * read for its sketch, which then is in memory only. The kind of an index is its column, type,
 * tokenizer and options; an index of the same kind under another name uses the same sketches. A
 * sketch in bytes, numbers as {@code DataOutput} writes them, bytes as {@code
 * Bytes.writeByteArray}:
 *
 * <pre>
 *   1 byte   format version
 *   int      number of blocks; of each
 *     bytes    first row that begins in it
 *     int      number of cells of the rows that begin in it
 *     bytes    lower bound of the tokens, inclusive
 *     boolean  whether there is an upper bound
 *     bytes    upper bound, exclusive, if there is one
 *     long     oldest timestamp
 *     long     newest timestamp
 *     int      bits of the Bloom filter
 *     int      probes for a token
 *     bytes    the filter as {@code BitSet.toByteArray} gives it
 * </pre>
 */
package io.deli.coprocessor.internal.embedded;
