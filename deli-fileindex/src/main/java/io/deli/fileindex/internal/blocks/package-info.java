/**
 * Lookups in the base table itself: what is known of its files lets them leave out most of their
 * blocks.
 *
 * <p>Each store file has, for each column with such an index, an index of its own ({@code
 * FileIndex}) that tells which blocks may hold a token. A lookup is an ordinary scan whose rows are
 * judged by the coprocessor, as those of a table without index are. What is here only leads it from
 * one candidate to the next, so that a mistake could lose hits, but never invent any:
 *
 * <ul>
 *   <li>A row that matches in no part of the store, file or memory, cannot match at all. So the
 *       candidates are the rows that match in some part ({@code Candidates}). Those of memory are
 *       in an index of its own ({@link io.deli.fileindex.internal.memory}); where that cannot tell,
 *       every cell is looked at.
 *   <li>The ranges of tokens of all files, or of parts of their indexes, are in one structure
 *       ({@code GlobalIndex}), which leads to the parts to be asked; these name the blocks ({@code
 *       Shortlist}).
 *   <li>Of a file, a scan reads a block only if it is in that list, by itself and once; what does
 *       not match there is never looked for in the other files. The lists serve all pages of a
 *       query ({@code ReadHistory}).
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
 * <p>Indexes are written with the files, as meta blocks of their own: so they go where the file
 * goes, to other regions and servers and into snapshots, and are as old as it is. Their names begin
 * with the way of indexing ({@code Scheme}), followed by column, type, tokenizer and options of the
 * index; an index that agrees in these, under another name, uses the same. A file without is read
 * for its index, or searched whole, as the scheme has it. If its index was given up when it was
 * written, its HBase file information has that name, with the limit of memory then, a long.
 */
package io.deli.fileindex.internal.blocks;
