/**
 * Composite keys (<em>A Comparative Study of Secondary Indexing Techniques in LSM-based NoSQL
 * Databases</em>, section 4.2): {@code deferred} without its essence, the collection of what was
 * superseded as the base table is compacted. Lookups verify every entry, stale ones again and again
 * until the index table is compacted.
 *
 * <p>The paper's DEL marks the entry of the value it finds as deleted; here a delete reads the
 * versions that it may hide, and deletes the entries of those that are hidden afterwards.
 * Departures: entries are verified by timestamp and value, not value alone, and read repair, which
 * the paper has not, takes out what a reader meets and the base table no longer holds; {@code
 * deli.repair.queue} of 0 switches it off.
 */
package io.deli.strategy.composite;
