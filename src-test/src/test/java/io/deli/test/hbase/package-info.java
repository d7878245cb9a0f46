/**
 * HBase's own tests on tables that have indexes.
 *
 * <p>Surefire runs classes of the hbase-server test-jar twice: with {@code src/hbase/observer} on
 * the class path only the region servers know of DELI, with {@code src/hbase/client} every client
 * connection is DELI's, too. In both {@link io.deli.test.hbase.IndexingMaster} indexes each table
 * that a test creates.
 */
package io.deli.test.hbase;
