/** How files and memory of a base table are indexed and searched. */
package io.deli.fileindex.internal;
