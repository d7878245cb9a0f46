/** Indexes and searches the files and memory of a base table. */
package io.deli.fileindex.internal;
