package io.deli.coprocessor.internal.send;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;

/** A Put that an index table must acknowledge before the base table has the version. */
public record IndexPut(TableName table, Put put) {}
