/** Implements the observer's hooks for a region. */
package io.deli.coprocessor.internal;
