/**
 * Measures what an index costs: writes, lookups and compactions, each in interleaved rounds against
 * plain HBase and an index kept in place by the client, on the same cluster in the same run.
 */
package io.deli.lab.bench;
