/** Master-side checks that refuse table operations by which indexes would silently miss rows. */
package io.deli.coprocessor.internal.masterobserver;
