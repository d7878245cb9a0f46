/**
 * The module that an operator installs on region servers, beside the coprocessor, for the
 * strategies {@code embedded} and {@code next}.
 */
package io.deli.fileindex;
