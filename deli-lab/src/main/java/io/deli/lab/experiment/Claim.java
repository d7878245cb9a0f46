package io.deli.lab.experiment;

/**
 * A finding of a paper.
 *
 * @param source paper and figure
 * @param found in our words, with the paper's numbers
 */
public record Claim(String source, String found) {}
