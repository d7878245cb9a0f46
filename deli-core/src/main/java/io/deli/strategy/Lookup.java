package io.deli.strategy;

import io.deli.entry.Entry;
import io.deli.query.TokenRange;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;

/**
 * Where to read entries, and how.
 *
 * @param table the table to scan
 * @param startRow first row, inclusive
 * @param stopRow last row, exclusive
 * @param tokens the tokens whose entries lie between these rows
 * @param entries reads the entries of one row, newest first
 * @param newestFirst whether entries come newest first across the whole range
 */
public record Lookup(
    TableName table,
    byte[] startRow,
    byte[] stopRow,
    TokenRange tokens,
    Function<Result, List<Entry>> entries,
    boolean newestFirst) {}
