/**
 * The write side: every operation is planned in memory, its entries are acknowledged by the index
 * tables, and only then does it go to the base table.
 *
 * <ul>
 *   <li>{@link io.deli.client.internal.write.WritePlanner} turns an operation into a {@link
 *       io.deli.client.internal.write.WritePlan}: the operation as it will be sent, stamped, and
 *       the entries it needs. It refuses what would leave an index wrong.
 *   <li>{@link io.deli.client.internal.write.BatchWriter} carries plans out; its essay is the
 *       protocol.
 *   <li>{@link io.deli.client.internal.write.TimestampRetries} draws anew what the base region
 *       refuses.
 *   <li>A {@link io.deli.client.internal.write.TableClient} is the way to one table. {@link
 *       io.deli.client.internal.write.CombiningTableClient} is one that combines what concurrent
 *       callers send to one region server.
 *   <li>{@link io.deli.client.internal.write.SharedRequests} does so for Puts without entries.
 * </ul>
 */
package io.deli.client.internal.write;
