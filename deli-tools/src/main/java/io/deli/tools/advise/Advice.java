package io.deli.tools.advise;

import java.util.List;

/**
 * Which strategy to choose.
 *
 * @param byTime whether its entries should be ordered by time
 * @param decisions what led to it, in order
 * @param notes what to mind
 */
public record Advice(
    String strategy, boolean byTime, List<Decision> decisions, List<String> notes) {}
