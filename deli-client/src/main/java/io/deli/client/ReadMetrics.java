package io.deli.client;

/**
 * Counters of read repair. Only the metrics of the region servers tell how many reported entries
 * were garbage.
 *
 * @param suspects entries met that their base row did not justify; most await the next compaction
 * @param reported entries that a region of the base table has looked into, for repair
 * @param failed reports given up because of an error
 * @param dropped suspects not reported because too many were waiting
 */
public record ReadMetrics(long suspects, long reported, long failed, long dropped) {}
