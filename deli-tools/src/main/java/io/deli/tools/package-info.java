/** The command line: {@code bin/deli}. */
package io.deli.tools;
