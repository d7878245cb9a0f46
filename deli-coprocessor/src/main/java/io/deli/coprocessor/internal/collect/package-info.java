/** Garbage collection while a store compacts: windows of rows, their deletes, their emission. */
package io.deli.coprocessor.internal.collect;
