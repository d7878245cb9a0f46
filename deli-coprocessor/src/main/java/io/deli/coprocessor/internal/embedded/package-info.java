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
 *       candidates are the rows that match in some part ({@code Candidates}).
 *   <li>Of a file, a block is read only if its sketch does not exclude it, by itself and once; what
 *       does not match there is never looked for in the other files.
 *   <li>The scan seeks each candidate. HBase reads a file for it only if it must: one whose newest
 *       timestamp is older than what was found is left alone. This is the papers' GetLite. Their
 *       own, to look whether a newer file has the key, would lose hits here: the newer file may
 *       hold another column of the row, or a version whose delete is in an older one.
 * </ul>
 *
 * <p>Where the papers' lookup goes from newer to older files and stops at K hits, this one goes by
 * rows, as HBase's clients demand of a scan: they go on behind the last row when a region moves.
 */
package io.deli.coprocessor.internal.embedded;
