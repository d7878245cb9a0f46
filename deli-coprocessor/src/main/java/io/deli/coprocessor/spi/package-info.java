/**
 * The border between the coprocessor and optional server modules: {@link
 * io.deli.coprocessor.spi.FileIndexProvider}, and what its implementations need to live in a region
 * server without harming it. Nothing else of the coprocessor is theirs to use.
 */
package io.deli.coprocessor.spi;
