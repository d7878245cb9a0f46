/** Entries that are rows of the index table, as several strategies keep them. */
package io.deli.strategy.keyed;
