package io.deli.strategy.internal;

import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.IndexState;
import io.deli.index.InvalidIndexException;
import io.deli.index.KeyColumn;
import io.deli.index.Maintenance;
import io.deli.index.ValueType;
import io.deli.strategy.IndexDefinitions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hbase.thirdparty.com.google.gson.Gson;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;

/**
 * The JSON that a table descriptor holds: an object with the members below. A reader refuses a
 * {@code version} newer than its own, since it could not keep an index whose rules it does not
 * know. What clients maintain is written as version 1, which has no {@code maintenance}; what has a
 * generation but the first, as version 3; what has buckets, as version 4; what has a condition, as
 * version 5; what is on several columns, as version 6, which has {@code further} ones. Snapshots
 * take a definition to other tables, so it names the {@code table} that it is of; earlier releases
 * left that out, and pass it over.
 */
public final class DefinitionJson {
  private static final Gson GSON = new Gson();

  /** The only placement there is: an index table of its own. Earlier releases require it. */
  private static final String PLACEMENT = "GLOBAL";

  /** Letters of a text, which may be of any length, that an error shows. */
  private static final int SHOWN = 200;

  /** Members of the JSON object, all text, so that the stored form depends on no other class. */
  private static final class Form {
    private int version;
    private String table;
    private String name;
    private String column;
    private String type;
    private Boolean descending;
    private List<FurtherColumn> further;
    private String tokenizer;
    private String strategy;
    private String order;
    private String placement;
    private String maintenance;
    private String state;
    private Integer generation;
    private Integer beside;
    private Map<String, String> options;
  }

  /** A column behind the first. */
  private static final class FurtherColumn {
    private String column;
    private String type;
    private Boolean descending;

    private static FurtherColumn of(KeyColumn given) {
      FurtherColumn further = new FurtherColumn();
      further.column = given.column().toString();
      further.type = given.type().name();
      further.descending = given.descending() ? true : null;
      return further;
    }

    private KeyColumn read() {
      return keyColumn(column, type, descending);
    }
  }

  private DefinitionJson() {}

  public static String write(TableName table, IndexDefinition definition) {
    Form form = new Form();
    form.version = 1;
    form.table = table.getNameAsString();
    form.name = definition.name();
    form.column = definition.column().toString();
    form.type = definition.type().name();
    form.tokenizer = definition.tokenizer();
    form.strategy = definition.strategy();
    form.order = definition.order().name();
    form.placement = PLACEMENT;
    if (definition.maintenance() != Maintenance.CLIENT) {
      form.version = 2;
      form.maintenance = definition.maintenance().name();
    }
    if (definition.generation() > 1 || definition.beside() > 0) {
      // Earlier releases know the table of the first generation only.
      form.version = 3;
      form.generation = definition.generation();
      form.beside = definition.beside();
    }
    if (definition.options().containsKey(IndexDefinition.BUCKETS)) {
      // Earlier releases pass options over that they do not know, and put no salt.
      form.version = 4;
    }
    if (definition.options().containsKey(IndexDefinition.WHERE)) {
      // Earlier releases would let writes pass that bring rows into the index without entries.
      form.version = 5;
    }
    if (definition.isJoined()) {
      List<KeyColumn> columns = definition.columns();
      form.version = IndexDefinition.FORMAT_VERSION;
      form.descending = columns.get(0).descending() ? true : null;
      form.further = columns.stream().skip(1).map(FurtherColumn::of).toList();
    }
    IndexState state = definition.state();
    form.state = (state == IndexState.DETACHED ? IndexState.DISABLED : state).name();
    form.options = new TreeMap<>(definition.options());
    return GSON.toJson(form);
  }

  /**
   * The column of a definition, of whatever version, that region servers are to maintain; empty if
   * it is not theirs or cannot be told. What is read here means the same in every version.
   *
   * @param table in whose descriptor it is
   */
  public static Optional<Column> serverMaintainedColumn(TableName table, String json) {
    try {
      Form form = GSON.fromJson(json, Form.class);
      return form != null
              && Maintenance.SERVER.name().equals(form.maintenance)
              && !IndexState.DISABLED.name().equals(form.state)
              && !isForeign(form, table)
          ? Optional.of(Column.parse(form.column))
          : Optional.empty();
    } catch (JsonParseException | IllegalArgumentException | NullPointerException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads a definition.
   *
   * @param table in whose descriptor it is
   * @param where what to name in an error: table and key
   * @throws InvalidIndexException if it is no definition or of a newer version
   */
  public static IndexDefinition read(TableName table, String json, String where) {
    Form form;
    try {
      form = GSON.fromJson(json, Form.class);
    } catch (JsonParseException e) {
      throw new InvalidIndexException(where + " holds no index definition: " + shown(json), e);
    }
    if (form == null || form.version < 1) {
      throw new InvalidIndexException(where + " holds no index definition: " + shown(json));
    }
    if (form.version > IndexDefinition.FORMAT_VERSION) {
      throw new InvalidIndexException(
          "%s has format version %d, and this DELI reads up to %d: upgrade DELI here"
              .formatted(where, form.version, IndexDefinition.FORMAT_VERSION));
    }
    try {
      IndexDefinition stored = definition(form);
      // What is in the table's own files came along with them. A build of the other table does not
      // go on here.
      return isForeign(form, table) && IndexDefinitions.indexTable(table, stored).isPresent()
          ? stored.at(stored.generation()).withState(IndexState.DETACHED)
          : stored;
    } catch (IllegalArgumentException | NullPointerException e) {
      throw new InvalidIndexException(
          "%s holds a broken index definition (%s): %s"
              .formatted(where, shown(String.valueOf(e.getMessage())), shown(json)),
          e);
    }
  }

  private static String shown(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }

  private static List<KeyColumn> columns(Form form) {
    List<KeyColumn> columns = new ArrayList<>();
    columns.add(keyColumn(form.column, form.type, form.descending));
    if (form.further != null) {
      form.further.forEach(each -> columns.add(each.read()));
    }
    return columns;
  }

  private static KeyColumn keyColumn(String column, String type, Boolean descending) {
    return new KeyColumn(
        Column.parse(column), ValueType.valueOf(type), Boolean.TRUE.equals(descending));
  }

  private static boolean isForeign(Form form, TableName table) {
    return form.table != null && !form.table.equals(table.getNameAsString());
  }

  private static IndexDefinition definition(Form form) {
    if (!PLACEMENT.equals(form.placement)) {
      throw new IllegalArgumentException("unknown placement " + form.placement);
    }
    return new IndexDefinition(
        form.name,
        columns(form),
        form.tokenizer,
        form.strategy,
        EntryOrder.valueOf(form.order),
        form.maintenance == null ? Maintenance.CLIENT : Maintenance.valueOf(form.maintenance),
        IndexState.valueOf(form.state),
        form.generation == null ? 1 : form.generation,
        form.beside == null ? 0 : form.beside,
        form.options == null ? Map.of() : form.options);
  }
}
