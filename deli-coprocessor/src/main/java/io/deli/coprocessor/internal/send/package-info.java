/** Resources that the regions of one server share: the connection to index tables, and metrics. */
package io.deli.coprocessor.internal.send;
