/**
 * Builds the index of a table in use.
 *
 * <ol>
 *   <li>The index is published as {@code BUILDING}, under the name of this build: from now on
 *       writers that know of it maintain it. It has a table that no index had before, so whoever
 *       goes by older definitions meets one that is gone.
 *   <li>One lease of definitions later no write is acknowledged any more that was planned without
 *       it ({@link io.deli.client.internal.write.MissedIndexes}). Whatever was acknowledged before
 *       is in the base table. Regions, which maintain the index, or refuse files of rows without
 *       its entries ({@link io.deli.service.LoadMark}), know it since they were opened for it, each
 *       after all operations that it had in flight. A build that is resumed reopens them ahead of
 *       the lease: the process that published the index may have died before all of them were, and
 *       clients may learn definitions from regions.
 *   <li>The regions are reopened, which flushes them and ends their compactions; the index table,
 *       which holds little yet, is compacted. Versions from before the index carry no write ids; so
 *       a tombstone of one that died must not meet the entry of an equal one that lives, see {@link
 *       io.deli.client.internal.build.RangeBackfill}.
 *   <li>Every version that the base table holds, hidden or not, gets its entries, at its own
 *       timestamp and under its own write id. Those that are there already stay what they are.
 *       Threads of this process do it, by Puts or as the caller has them write ({@link
 *       io.deli.client.EntryWriter}), or an engine of the caller's ({@link
 *       io.deli.client.BuildEngine}).
 *   <li>The index is published as {@code ACTIVE}.
 * </ol>
 *
 * <p>An index that is in use is built in the same way, beside the table that is read:
 *
 * <ol>
 *   <li>A second generation is published, which writers and region servers maintain as if it were
 *       another index on the column ({@link io.deli.strategy.Index#generations}).
 *   <li>It is filled as above.
 *   <li>The two change places: the new one is read. Readers by older definitions still go to the
 *       former one, so writers keep that, too, for one lease more. A reader takes no answer from it
 *       after its own lease ({@code QueryRun}).
 *   <li>The former one is no more in the definition, and its table is deleted.
 * </ol>
 *
 * <p>A builder that dies leaves one of these states, from which the next builder continues.
 *
 * <p>Each range is read as it is at that moment, without a bound on timestamps, since writers may
 * give any timestamp. Rows written meanwhile have their entries already.
 */
package io.deli.client.internal.build;
