/**
 * A strategy is what an index does at its three moments: a write, a rewrite of the base table's
 * files (flush or compaction), and a lookup. Strategies are pure: they return mutations to make and
 * ranges to read, and one engine does all I/O. Each lives in a package of its own below this one
 * and is found by {@link java.util.ServiceLoader}.
 */
package io.deli.strategy;
