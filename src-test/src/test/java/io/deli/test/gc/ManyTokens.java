package io.deli.test.gc;

import io.deli.token.Tokenizer;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;

/** Of the value {@code x12} it makes the tokens {@code x12-0} to {@code x12-11}. */
public final class ManyTokens implements Tokenizer {
  @Override
  public List<byte[]> tokens(byte[] value) {
    String text = Bytes.toString(value);
    return IntStream.range(0, Integer.parseInt(text.substring(1)))
        .mapToObj(i -> Bytes.toBytes(text + "-" + i))
        .toList();
  }
}
