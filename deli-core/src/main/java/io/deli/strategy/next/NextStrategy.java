package io.deli.strategy.next;

import com.google.auto.service.AutoService;
import io.deli.strategy.Cost;
import io.deli.strategy.FileIndexing;
import io.deli.strategy.IndexStrategy;
import io.deli.strategy.Workload;
import io.deli.strategy.scanned.ScannedRows;
import java.util.Optional;

/** Keeps postings with the base table's files; lookups read the blocks that they name. */
@AutoService(IndexStrategy.class)
public final class NextStrategy extends ScannedRows {
  /** Bytes of a block in a posting: its number, two timestamps. */
  private static final int BLOCK = 10;

  @Override
  public String name() {
    return "next";
  }

  @Override
  public FileIndexing fileIndexing() {
    return FileIndexing.POSTINGS;
  }

  /** Postings, then the blocks with hits (NEXT, Table 1). */
  @Override
  public Optional<Cost> cost(Workload work) {
    double named = work.blocksWith(work.rows() / work.distinct());
    double bytes = work.distinct() * (work.valueBytes() + Workload.TERMINATOR + named * BLOCK);
    return Optional.of(
        work.inFiles(
            name(),
            work.files() * (1 + work.blocksWith(work.hits())),
            work.files() * (1 + work.blocksWith(work.rows() * work.range()))
                + Math.floor(bytes * work.range() / work.blockBytes()),
            bytes));
  }
}
