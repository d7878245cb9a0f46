package io.deli.lab.experiment;

/**
 * One measured value.
 *
 * @param stage of the experiment in which it was measured
 * @param round from 0 on
 * @param arm who did it
 * @param measure what was measured, such as {@code PUT throughput}
 * @param x under which circumstances, such as a number of threads; empty if there is but one
 * @param unit of the value
 */
public record Measurement(
    String stage, int round, String arm, String measure, String x, String unit, double value) {}
