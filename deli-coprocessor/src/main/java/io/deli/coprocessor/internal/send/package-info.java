/** What the regions of one server share: the connection that carries index deletes, and metrics. */
package io.deli.coprocessor.internal.send;
