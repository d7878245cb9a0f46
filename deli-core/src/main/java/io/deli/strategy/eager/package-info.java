/**
 * Posting lists that are read, modified and written at each write (LevelDB++, section 4.1.1): the
 * dearest writes, and lookups that read one short row.
 *
 * <p>The paper's client reads the list and writes it back. Here the region of the index table does
 * so, one write of a value after the other: none need be tried again, and a write is still one
 * request.
 */
package io.deli.strategy.eager;
