/** HBase inside this JVM: one master, one region server, one ZooKeeper, on the local disk. */
package io.deli.tools.embedded;
