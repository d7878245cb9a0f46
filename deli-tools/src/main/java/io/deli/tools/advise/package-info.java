/**
 * Advises a strategy for a column: measured facts, the papers' decision trees on them, and what
 * each strategy would cost.
 *
 * <p>{@code Survey} measures and {@code Sampler} reads; all else is pure.
 */
package io.deli.tools.advise;
