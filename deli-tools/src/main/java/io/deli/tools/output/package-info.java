/** What commands print: tables, CSV, JSON, progress. */
package io.deli.tools.output;
