/** What a connection measures, and how that is published. */
package io.deli.client.internal.metrics;
