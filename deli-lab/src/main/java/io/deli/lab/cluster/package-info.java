/**
 * A small HBase cluster of separate processes on this machine: ZooKeeper, HDFS, a master and region
 * servers.
 *
 * <p>All that it is lies in one directory: the ports it chose, its configuration, process ids, logs
 * and data. So any process may control what another one started.
 */
package io.deli.lab.cluster;
