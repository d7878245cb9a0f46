/** Reading rows from CSV, TSV and JSON Lines, and writing them to a table. */
package io.deli.tools.load;
