package io.deli.strategy;

/**
 * Estimate of what a strategy costs, for one indexed column.
 *
 * @param putWrites operations that write, of the base and the index table
 * @param putReads operations that read
 * @param putBytes bytes that go to the index table
 * @param lookupRequests of a lookup of one value
 * @param lookupBlocks data blocks that it reads
 * @param rangeBlocks data blocks that a range with {@link Workload#RANGE} of the rows reads
 * @param entries in the index table
 * @param bytes of entries, or of filters
 */
public record Cost(
    String strategy,
    double putWrites,
    double putReads,
    double putBytes,
    double lookupRequests,
    double lookupBlocks,
    double rangeBlocks,
    double entries,
    double bytes) {}
