/** What a master must not do to tables, lest their indexes miss rows in silence. */
package io.deli.coprocessor.internal.guard;
