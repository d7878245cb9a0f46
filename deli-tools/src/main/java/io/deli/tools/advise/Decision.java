package io.deli.tools.advise;

/**
 * One branch that was taken.
 *
 * @param because the fact that answered the question
 * @param after the paper that asks it, or what we ask in its place and why
 */
public record Decision(String question, boolean answer, String because, String after) {}
