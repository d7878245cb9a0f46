/**
 * The index of files of <em>NEXT: A New Secondary Index Framework for LSM-based Data Storage</em>:
 * sorted postings from tokens to the rows that have them, in blocks ({@code PostingBlock}), of
 * which only the zones of their tokens stay in memory ({@code FilePostings}). What is done with
 * them, {@link io.deli.fileindex.internal.blocks} tells.
 *
 * <p>Where we depart from the paper:
 *
 * <ul>
 *   <li>A posting leads to a row, not to a block: so a lookup decodes no block of rows to find the
 *       one it wants, and reads none that an index entry of a table would not lead to.
 *   <li>There is one posting for all versions of a token in a row, with their oldest and newest
 *       timestamp: so lookups of the newest end early, and those of a time pass over rows of
 *       another. A row with very many tokens may have several.
 *   <li>The threshold of a gap between zones is a multiple of a posting block's mean gap, and a
 *       block has so many zones at most ({@code ZoneSplit}).
 *   <li>Of a long token a posting has what tells it from the others of the file ({@code
 *       TokenCutter}).
 *   <li>Stale hits are found by HBase's own scan of the row, not by a memo of updates, which would
 *       have to hold every row that was ever written twice.
 *   <li>The global index needs no log: it is made of what the files carry.
 *   <li>A file without postings is searched whole until a compaction rewrites it, and regions ask
 *       for that of large ones (section 5, "lazy"; {@code CreationPass}).
 * </ul>
 *
 * <p>A file has a block {@code deli.next <kind>}, and posting blocks of that name with a number
 * behind it. If these are more than 32, it has for each 32, and for the rest, one of their filters,
 * with {@code filters} and its number; else the first block has them. In bytes, behind the name
 * that each begins with, numbers as {@code DataOutput} writes them, bytes as {@code
 * Bytes.writeByteArray}, v-numbers as {@code WritableUtils} does:
 *
 * <pre>
 *   1 byte   format version
 *   int      number of blocks; of each
 *     bytes    first row that begins in it
 *     int      number of cells of the rows that begin in it
 *   int      number of posting blocks; of each
 *     int      number of zones; each as {@link io.deli.query.TokenRange#write} has it
 *   bytes    filters, as below; none if they have blocks
 *
 *   posting block: of each token and row, ascending
 *     vint     how much of the token before it begins with; at a restart point of the first one
 *     vint     length of the rest of the token, its complement if the token was cut; and the rest
 *     vint     how much of the row before it begins with; 0 at a restart point
 *     vint     length of the rest of the row, and the rest
 *     vlong    newest timestamp
 *     vlong    how much older the oldest is
 *   and behind the last
 *     int      of each restart point, ascending: its place in the block
 *     int      number of restart points
 *
 *   filters: of each posting block
 *     int      the place of its Bloom filter of whole tokens in this block
 *   and of each
 *     int      number of bits
 *     int      number of probes
 *     bits     each byte from its lowest on
 * </pre>
 *
 * A block of no bytes was lost when the file was written; lookups search that file whole, or
 * without those filters.
 */
package io.deli.fileindex.internal.next;
