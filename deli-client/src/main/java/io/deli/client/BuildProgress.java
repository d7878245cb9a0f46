package io.deli.client;

/**
 * The progress of an index build, whether or not it is running.
 *
 * @param done ranges of rows that are finished
 * @param ranges in all; 0 before the table is read
 */
public record BuildProgress(int done, int ranges) {}
