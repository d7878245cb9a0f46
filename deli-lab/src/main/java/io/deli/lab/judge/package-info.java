/**
 * Checkers of recorded histories that know HBase's promise to users and nothing of timestamps, of
 * versions or of DELI: whether the calls on each row can be put into one order that real time
 * allows ({@link io.deli.lab.judge.LinearizabilityChecker}), and whether each query returned what
 * satisfied it throughout, and nothing that did not at some moment ({@link
 * io.deli.lab.judge.QueryChecker}).
 */
package io.deli.lab.judge;
