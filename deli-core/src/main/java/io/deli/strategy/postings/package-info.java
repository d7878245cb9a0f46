/**
 * Posting lists, one row of the index table for each token (LevelDB++, section 4.1); this page is
 * the format's specification.
 *
 * <p>A posting says that a base row has, or had, a value with the token at a timestamp. A row holds
 * the postings of its token, newest first, and at equal timestamps by base row key:
 *
 * <pre>
 *   row        token
 *   family     "e"
 *   qualifier  of one posting     place "P" id
 *              of a list          place "L" 16 random bytes; place is that of its newest posting
 *   timestamp  of the oldest posting in the cell
 *   value      of one posting     empty
 *              of a list          01 posting*
 *   place      inverted(timestamp) key
 *   posting    varint: the first timestamp, then by how much each is less than the one before
 *              varint: length of the base row key; the key
 *              varint: length of the write id; the write id
 * </pre>
 *
 * <ul>
 *   <li>{@code token}, {@code inverted} and {@code id} are those of {@link io.deli.entry}; {@code
 *       key} in a place is encoded as a token is.
 *   <li>A varint has seven bits to a byte, lowest first, as in protocol buffers.
 *   <li>Lists of one row may overlap in time. Whatever is newer than the first posting of a cell is
 *       in a cell before it.
 *   <li>A list is cut when it exceeds {@code deli.list.bytes}, or 131,072 postings, never between
 *       two postings of one place. One of more postings is not read.
 * </ul>
 *
 * <p>A posting is written as a cell of its own, and deleted by an exact marker for that cell, which
 * also removes it from a list when the two meet in a merge. Until then readers see the posting and
 * find it stale. A list gets a random qualifier when it is written, so that no marker for an older
 * one can hide it. Cells with tags, such as a TTL, are not merged.
 *
 * <p>The paper appends to lists by sequence number and knows of no late postings; here timestamps
 * may come in any order, and the order of a list is theirs. It rewrites a list as a whole; here a
 * list is cut into many cells, of which a write touches one.
 */
package io.deli.strategy.postings;
