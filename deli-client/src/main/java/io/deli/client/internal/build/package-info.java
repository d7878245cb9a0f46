/**
 * Builds the index of a table in use.
 *
 * <ol>
 *   <li>The index is published as {@code BUILDING}, under the name of this build: from now on
 *       writers that know of it maintain it.
 *   <li>One lease of definitions later no write is acknowledged any more that was planned without
 *       it ({@link io.deli.client.internal.write.Overlooked}). Whatever was acknowledged before is
 *       in the base table. Regions, if they maintain the index, know it since they were opened for
 *       it, each after all that it had under way; they are opened once more, for the one that
 *       published the index may have died before all of them were.
 *   <li>The base table is flushed, compactions under way are waited for, and the index table, which
 *       holds little yet, is compacted. Versions from before the index carry no write ids; so a
 *       tombstone of one that died must not meet the entry of an equal one that lives, see {@link
 *       io.deli.client.internal.build.RangeBuild}.
 *   <li>Every version that the base table holds, hidden or not, gets its entries, at its own
 *       timestamp and under its own write id. Those that are there already stay what they are.
 *       Threads of this process do it, by Puts or as the caller has them write ({@link
 *       io.deli.client.EntryWriter}), or an engine of the caller's ({@link
 *       io.deli.client.BuildEngine}).
 *   <li>The index is published as {@code ACTIVE}.
 * </ol>
 *
 * <p>The table is read as it is when each range is reached, with no bound on timestamps: those are
 * the writers', who may give any. What is written meanwhile has its entries already.
 */
package io.deli.client.internal.build;
