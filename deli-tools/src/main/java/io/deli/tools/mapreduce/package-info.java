/**
 * {@link io.deli.tools.mapreduce.DeliInputFormat} has jobs read the hits of a query; {@link
 * io.deli.tools.mapreduce.VerifyJob} compares an index with its table. The rest is the long step of
 * a build by MapReduce: mappers read the regions of the base table, reducers write the entries as
 * HFiles for the regions of the index table, and the builder has these load them.
 */
package io.deli.tools.mapreduce;
