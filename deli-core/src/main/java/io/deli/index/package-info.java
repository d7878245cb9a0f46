/**
 * What an index is: its definition, where the definition is kept, and the table that holds it.
 *
 * <p>An {@link io.deli.index.IndexDefinition} is stored as JSON in the <em>base table's</em>
 * descriptor, one value per index under {@code deli.index.<name>}. Client and coprocessor thus read
 * one truth, and snapshots carry it; it names its table, so that a clone's is known from its own.
 * The entries of index {@code i} on table {@code ns:t} live in the ordinary HBase table {@code
 * ns:t.i}. An {@link io.deli.strategy.Index} is a definition made ready for work: its tokenizer,
 * codec and strategy resolved.
 */
package io.deli.index;
