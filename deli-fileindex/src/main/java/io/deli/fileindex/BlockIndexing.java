package io.deli.fileindex;

import com.google.auto.service.AutoService;
import io.deli.coprocessor.spi.FileIndexProvider;
import io.deli.fileindex.internal.blocks.FileIndexes;
import io.deli.fileindex.internal.embedded.Filters;
import io.deli.fileindex.internal.next.Postings;
import io.deli.strategy.FileIndexing;
import java.util.Map;

/** Indexes the blocks of files: for {@code embedded} by filters, for {@code next} by postings. */
@AutoService(FileIndexProvider.class)
public final class BlockIndexing implements FileIndexProvider {
  @Override
  public OfServer open(Host host) {
    return new FileIndexes(
        host, Map.of(FileIndexing.FILTERS, new Filters(), FileIndexing.POSTINGS, new Postings()));
  }
}
