/** Compares an index with its base table, in both directions. */
package io.deli.client.internal.verify;
