/**
 * The client: drop-in connections and tables of HBase's, blocking and asynchronous, that keep
 * indexes and read by value.
 *
 * <p>Start with {@link io.deli.client.DeliConnection#wrap} or the configuration key {@code
 * hbase.client.connection.impl}; asynchronous, with {@link io.deli.client.DeliAsyncConnection#wrap}
 * or {@code hbase.client.async.connection.impl}.
 */
package io.deli.client;
