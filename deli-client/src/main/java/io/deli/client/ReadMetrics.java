package io.deli.client;

/**
 * What reads by value found wrong in the indexes so far, and what became of it.
 *
 * @param suspects entries met that their base row did not justify; most await the next compaction
 * @param repaired entries deleted because no version in the base table can justify them
 * @param held entries left alone because the base table still holds their version, dead or
 *     superseded; compaction collects them
 * @param failed repairs given up because of an error, such as a missing permission
 * @param dropped suspects not looked into because too many were waiting
 */
public record ReadMetrics(long suspects, long repaired, long held, long failed, long dropped) {}
