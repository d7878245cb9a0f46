/** Metrics of a connection, and their publication by JMX. */
package io.deli.client.internal.metrics;
