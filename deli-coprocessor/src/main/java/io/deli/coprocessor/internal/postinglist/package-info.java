/**
 * Merges the posting lists of an index table: by its compactions, or by its writes, as the strategy
 * has it. What a row means before and after is the same, so that nothing depends on it but what
 * reads cost.
 */
package io.deli.coprocessor.internal.postinglist;
