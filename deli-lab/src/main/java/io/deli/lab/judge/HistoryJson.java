package io.deli.lab.judge;

import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.GsonBuilder;
import org.apache.hbase.thirdparty.com.google.gson.TypeAdapter;
import org.apache.hbase.thirdparty.com.google.gson.reflect.TypeToken;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonReader;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/** JSON of {@link HistoryRecord}s, with what Gson does not know by itself. */
final class HistoryJson {
  static final Gson GSON =
      new GsonBuilder()
          .disableHtmlEscaping()
          .serializeNulls()
          .registerTypeAdapterFactory(HistoryJson::optional)
          .registerTypeAdapterFactory(HistoryJson::sealed)
          .create();

  private HistoryJson() {}

  @SuppressWarnings("unchecked") // an optional's is not of another type
  private static <T> TypeAdapter<T> optional(Gson gson, TypeToken<T> type) {
    if (type.getRawType() != Optional.class) {
      return null;
    }
    ParameterizedType optional = (ParameterizedType) type.getType();
    TypeAdapter<Object> content =
        (TypeAdapter<Object>) gson.getAdapter(TypeToken.get(optional.getActualTypeArguments()[0]));
    return new TypeAdapter<>() {
      @Override
      public void write(JsonWriter out, T value) throws IOException {
        content.write(out, ((Optional<?>) value).orElse(null));
      }

      @Override
      public T read(JsonReader in) throws IOException {
        return (T) Optional.ofNullable(content.read(in));
      }
    };
  }

  private static List<Class<?>> variants(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses())
            .map(HistoryJson::variants)
            .flatMap(List::stream)
            .toList()
        : List.of(type);
  }

  @SuppressWarnings("unchecked") // by name, the type that was written
  private static <T> TypeAdapter<T> sealed(Gson gson, TypeToken<T> type) {
    if (!type.getRawType().isSealed()) {
      return null;
    }
    Map<String, TypeAdapter<Object>> variants = new HashMap<>();
    for (Class<?> variant : variants(type.getRawType())) {
      variants.put(variant.getSimpleName(), (TypeAdapter<Object>) gson.getAdapter(variant));
    }
    return new TypeAdapter<>() {
      @Override
      public void write(JsonWriter out, T value) throws IOException {
        String name = value.getClass().getSimpleName();
        out.beginArray().value(name);
        variants.get(name).write(out, value);
        out.endArray();
      }

      @Override
      public T read(JsonReader in) throws IOException {
        in.beginArray();
        T value = (T) variants.get(in.nextString()).read(in);
        in.endArray();
        return value;
      }
    };
  }
}
