/** The region's endpoint for clients: descriptions of its indexes, read repair and sweeps. */
package io.deli.coprocessor.internal.endpoint;
