/**
 * Reads and classifies the cells of a store while HBase rewrites them.
 *
 * <p>HBase drops surplus, deleted and expired cells at every flush and compaction, unseen by
 * coprocessors. Here its scanners are told to keep everything, and its own query matcher is driven
 * a second time, with the store's real settings, to learn which cells it would have dropped.
 */
package io.deli.coprocessor.internal.scan;
