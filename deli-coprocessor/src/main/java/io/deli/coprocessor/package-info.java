/**
 * The coprocessors that an operator loads into servers: the observer of indexed tables, and that of
 * masters.
 */
package io.deli.coprocessor;
