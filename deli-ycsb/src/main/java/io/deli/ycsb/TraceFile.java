package io.deli.ycsb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A trace that is being written, by all threads of a run. Each run begins it anew. */
final class TraceFile {
  private static final Map<Path, TraceFile> OPEN = new HashMap<>();

  private final Path path;
  private final BufferedWriter out;
  private int users;

  private TraceFile(Path path) throws IOException {
    this.path = path;
    this.out = Files.newBufferedWriter(path, ISO_8859_1);
  }

  static TraceFile open(Path path) throws IOException {
    synchronized (OPEN) {
      Path key = path.toAbsolutePath();
      TraceFile file = OPEN.get(key);
      if (file == null) {
        file = new TraceFile(key);
        OPEN.put(key, file);
      }
      file.users++;
      return file;
    }
  }

  synchronized void write(TraceLine line) throws IOException {
    out.write(line.toString());
    out.write('\n');
  }

  void close() throws IOException {
    synchronized (OPEN) {
      if (--users == 0) {
        OPEN.remove(path);
        out.close();
      }
    }
  }
}
