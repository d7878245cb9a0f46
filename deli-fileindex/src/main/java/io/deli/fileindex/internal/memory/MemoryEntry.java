package io.deli.fileindex.internal.memory;

/** A token of a version in memory. */
public record MemoryEntry(byte[] token, long timestamp, byte[] row) {}
