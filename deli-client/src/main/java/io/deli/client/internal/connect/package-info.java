/**
 * The parts of a DELI connection: HBase's interfaces, passed on to HBase or to the engines of
 * {@link io.deli.client.internal.write} and {@link io.deli.client.internal.read}.
 */
package io.deli.client.internal.connect;
