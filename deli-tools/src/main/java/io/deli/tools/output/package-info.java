/** Prints for commands: tables, CSV, JSON, progress. */
package io.deli.tools.output;
