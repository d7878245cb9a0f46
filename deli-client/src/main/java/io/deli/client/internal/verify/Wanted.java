package io.deli.client.internal.verify;

import io.deli.entry.Entry;

/**
 * An entry that there must be, without its write id.
 *
 * @param value of the base version; not to be changed
 */
record Wanted(Entry entry, byte[] value) {}
