/**
 * Indexes and their strategies.
 *
 * <p>A strategy defines what an index does at its three moments: a write, a rewrite of the base
 * table's files (flush or compaction), and a lookup. Strategies are pure: they return mutations to
 * make and ranges to read, and one engine does all I/O. Each lives in a package of its own below
 * this one and is found by {@link java.util.ServiceLoader}.
 *
 * <p>An {@link io.deli.strategy.Index} is an {@link io.deli.index.IndexDefinition} with its
 * tokenizer, codec and strategy resolved. Definitions are stored as JSON in the <em>base
 * table's</em> descriptor, one value per index under {@code deli.index.<name>} ({@link
 * io.deli.strategy.IndexDefinitions}). Client and coprocessor thus read one truth, and snapshots
 * carry it; it names its table, so that a clone's is known from its own. The entries of index
 * {@code i} on table {@code ns:t} live in the ordinary HBase table {@code ns:t.i} ({@link
 * io.deli.strategy.IndexTables}).
 */
package io.deli.strategy;
