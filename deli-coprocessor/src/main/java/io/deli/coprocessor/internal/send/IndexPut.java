package io.deli.coprocessor.internal.send;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;

/** What an index table is to have before the base table. */
public record IndexPut(TableName table, Put put) {}
