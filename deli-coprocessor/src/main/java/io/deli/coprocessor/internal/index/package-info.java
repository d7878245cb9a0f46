/** A table's indexes as its regions see them. */
package io.deli.coprocessor.internal.index;
