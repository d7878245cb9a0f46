package io.deli.test.model;

import io.deli.token.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A user's tokenizer: the words of a text; it takes no text with an exclamation mark. */
public final class WordsTokenizer implements Tokenizer {
  @Override
  public List<byte[]> tokens(byte[] value) {
    String text = new String(value, StandardCharsets.ISO_8859_1);
    if (text.indexOf('!') >= 0) {
      throw new IllegalArgumentException("do not shout");
    }
    return Arrays.stream(text.split(" ", -1))
        .filter(word -> !word.isEmpty())
        .distinct()
        .map(word -> word.getBytes(StandardCharsets.ISO_8859_1))
        .toList();
  }
}
