/**
 * The two-level index of <em>NEXT: A New Secondary Index Framework for LSM-based Data Storage</em>:
 * no table, no entries and no cost of a write; each of the base table's files has sorted postings
 * from values to blocks, and in memory there is an index of where in all files these are. To client
 * and base table it is a scan whose region servers leave out rows; how they find out which is
 * theirs.
 */
package io.deli.strategy.next;
