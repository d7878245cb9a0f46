/**
 * Maintains indexes in the regions of the base table, whoever writes.
 *
 * <p>HBase tells of every mutation before it takes row locks. {@link
 * io.deli.coprocessor.internal.servermaintained.ServerMaintainedWrites} gives it a timestamp, has
 * the index tables acknowledge its entries, and only then lets it go on. When the locks are held
 * and the batch is about to be applied, it checks once more that all its entries are acknowledged:
 * nothing else gets by. There {@link io.deli.coprocessor.internal.servermaintained.Admission} also
 * looks at the timestamps that were drawn before, by clients or here.
 */
package io.deli.coprocessor.internal.servermaintained;
