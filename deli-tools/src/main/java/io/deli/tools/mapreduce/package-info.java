/**
 * The long step of a build by MapReduce: mappers read the regions of the base table, reducers write
 * the entries as HFiles for the regions of the index table, and the builder has these load them.
 *
 * <p>A file that is loaded is to HBase as if its cells had just been put, which is what the other
 * way does: a tombstone for an entry masks it whether it came before or after.
 */
package io.deli.tools.mapreduce;
