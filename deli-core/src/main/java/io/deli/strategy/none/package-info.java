/**
 * No index (the first baseline of <em>DELI: DEferred Lightweight Indexing on log-structured
 * key-value stores</em>, section 6): every lookup scans the base table, whose region servers leave
 * out the rows that cannot satisfy it.
 */
package io.deli.strategy.none;
