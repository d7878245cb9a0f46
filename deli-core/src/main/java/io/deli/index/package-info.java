/**
 * Definitions of indexes: columns, value types, states and table names. {@link io.deli.strategy}
 * stores them and gives them effect.
 */
package io.deli.index;
