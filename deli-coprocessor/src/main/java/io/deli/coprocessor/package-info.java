/** What an operator loads into region servers: the observer of indexed tables. */
package io.deli.coprocessor;
