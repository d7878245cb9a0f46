package io.deli;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Arbitrary byte strings, rich in what breaks encodings: none, 00, FF, shared prefixes. */
public final class ByteStrings {
  private ByteStrings() {}

  public static Arbitrary<byte[]> bytes() {
    Arbitrary<Byte> awkward =
        Arbitraries.of((byte) 0, (byte) 1, (byte) 0x7F, (byte) 0x80, (byte) 0xFF);
    Arbitrary<Byte> any = Arbitraries.bytes();
    return Arbitraries.oneOf(
        awkward.array(byte[].class).ofMaxSize(10),
        any.array(byte[].class).ofMaxSize(20),
        Arbitraries.strings().withChars('v', '1', '0').ofMaxLength(4).map(String::getBytes));
  }

  public static Arbitrary<byte[]> keys() {
    return bytes().filter(key -> key.length > 0);
  }
}
