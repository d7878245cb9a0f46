package io.deli.lab.experiment;

/**
 * What a paper found.
 *
 * @param source paper and figure
 * @param found in our words, with the paper's numbers
 */
public record Claim(String source, String found) {}
