/** The parts of a DELI connection, and HBase's interfaces as far as DELI only passes them on. */
package io.deli.client.internal.connect;
