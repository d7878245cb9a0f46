/**
 * Indexes that the regions of the base table maintain, whoever writes.
 *
 * <p>HBase tells of every mutation before it takes row locks. {@link
 * io.deli.coprocessor.internal.serve.ServedWrites} gives it a timestamp, has the index tables
 * acknowledge its entries, and only then lets it go on. When the locks are held and the batch is
 * about to be applied, it asks once more whether all of it is announced: nothing that is not gets
 * by. There {@link io.deli.coprocessor.internal.serve.Admission} also looks at the timestamps that
 * were drawn before, by clients or here.
 */
package io.deli.coprocessor.internal.serve;
