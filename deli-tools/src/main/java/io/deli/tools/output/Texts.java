package io.deli.tools.output;

import io.deli.index.ValueType;
import io.deli.query.Tuple;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;

/** Row keys and values as text: UTF-8, with {@code \xNN} for bytes that are no text. */
public final class Texts {
  private static final String ESCAPE = "\\x";

  private Texts() {}

  /** The bytes of a text in which {@code \xNN} stands for one byte. */
  public static byte[] parse(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    int from = 0;
    while (from < text.length()) {
      int escape = text.indexOf(ESCAPE, from);
      if (escape < 0) {
        escape = text.length();
      }
      bytes.writeBytes(Bytes.toBytes(text.substring(from, escape)));
      if (isByte(text, escape + 2)) {
        bytes.write(Integer.parseInt(text.substring(escape + 2, escape + 4), 16));
        from = escape + 4;
      } else {
        from = Math.min(text.length(), escape + 2);
        bytes.writeBytes(Bytes.toBytes(text.substring(escape, from)));
      }
    }
    return bytes.toByteArray();
  }

  private static boolean isByte(String text, int at) {
    return at + 2 <= text.length()
        && Character.digit(text.charAt(at), 16) >= 0
        && Character.digit(text.charAt(at + 1), 16) >= 0;
  }

  /** Text that {@link #parse} turns into the same bytes. */
  public static String format(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (!text.contains(ESCAPE) && text.chars().noneMatch(Character::isISOControl)) {
        return text;
      }
    } catch (CharacterCodingException e) {
      // Not text.
    }
    return Bytes.toStringBinary(bytes);
  }

  /** A value for printing: numbers as numbers, so that JSON and alignment know them. */
  public static Object value(ValueType type, byte[] value) {
    if (!type.isNumeric()) {
      return format(value);
    }
    String text = type.format(value);
    try {
      return switch (type) {
        case INT, LONG -> Long.valueOf(text);
        case FLOAT -> Float.valueOf(text);
        case DOUBLE -> Double.valueOf(text);
        default -> new BigDecimal(text);
      };
    } catch (NumberFormatException e) {
      // Bytes that are no such number print raw.
      return text;
    }
  }

  /** A value for printing, of an index on columns of these types. */
  public static Object value(List<ValueType> types, byte[] value) {
    if (types.size() == 1) {
      return value(types.get(0), value);
    }
    List<byte[]> values = Tuple.values(value);
    return IntStream.range(0, values.size())
        .mapToObj(i -> String.valueOf(value(types.get(i), values.get(i))))
        .collect(Collectors.joining(", "));
  }

  public static byte[] encode(ValueType type, String text) {
    return type.isNumeric() ? type.parse(text) : parse(text);
  }
}
