package io.deli.client;

/**
 * How far the build of an index is, under way or not.
 *
 * @param done ranges of rows that are finished
 * @param ranges in all; 0 before the table is read
 */
public record BuildProgress(int done, int ranges) {}
