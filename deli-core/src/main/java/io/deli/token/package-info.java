/**
 * Tokenizers turn an indexed value into the tokens under which it is found, {@code t(v)} in the
 * DELI paper (section III-A). A token may hold any bytes and may be empty.
 */
package io.deli.token;
