package io.deli.client.internal.write;

import io.deli.index.Index;
import org.apache.hadoop.hbase.client.Delete;

/**
 * The delete of one exact version of an indexed column, which may make older versions current.
 *
 * @param retained versions that the family keeps, and whose entries are therefore there
 */
public record Exposure(Index index, byte[] row, int retained, Delete delete) {}
