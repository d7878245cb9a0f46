/**
 * The client: a drop-in HBase {@code Connection} and {@code Table} that keep indexes and read by
 * value.
 *
 * <p>Start with {@link io.deli.client.DeliConnection#wrap} or the configuration key {@code
 * hbase.client.connection.impl}.
 */
package io.deli.client;
