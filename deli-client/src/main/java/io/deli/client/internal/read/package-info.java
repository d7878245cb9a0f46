/**
 * Reading by value: plan, scan entries, verify them against the base table, repair.
 *
 * <p>A query becomes a {@link io.deli.client.internal.read.QueryPlan}, all refusals included.
 * {@link io.deli.client.internal.read.HitStream} runs it page by page, without blocking; scanners
 * and the asynchronous API both draw their pages from it. One page costs one scan of entries and
 * one multi-Get per region server of the base table, which {@link
 * io.deli.client.internal.read.QueryMetrics} counts. For the most recent hits, {@link
 * io.deli.client.internal.read.NewestFirst} takes its place.
 *
 * <p>Rows may change while they are read. {@link io.deli.client.internal.read.RowDecision} says how
 * one that satisfies the query all the time is met nevertheless, and comes once; {@link
 * io.deli.client.internal.read.CatchUpScan} what is read again at the end of a query for that.
 */
package io.deli.client.internal.read;
