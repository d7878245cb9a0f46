package io.deli.test.tools;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.test.cluster.MiniCluster;
import io.deli.test.tools.Cli.Outcome;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The command line from end to end, as a shell would use it. */
class CommandLineOnClusterTest {
  private static final String ROWS =
      """
      id,city,country,altitude
      1,La Paz,Bolivia,11942
      2,Oruro,Bolivia,12159
      3,Santa Cruz,Bolivia,1365
      4,Cusco,Peru,11152
      5,"Lima, ""old"" city",Peru,505
      6,Nowhere,Peru,high
      7,Santiago,Chile
      8,\\N,Chile,
      """;

  private static Cli deli;

  @BeforeAll
  static void connect() {
    deli = new Cli("--zookeeper", MiniCluster.zooKeeper());
  }

  @Test
  void createsLoadsQueriesUpdatesCollects() {
    String table = MiniCluster.uniqueTable("cli").getNameAsString();
    create(table);

    Outcome loaded = deli.runWith(ROWS, "load", table, "--key", "id");
    assertThat(loaded.code()).isEqualTo(3);
    assertThat(loaded.out()).contains("loaded 6 rows").contains("skipped 2 bad lines");
    assertThat(loaded.err())
        .contains("line 7: column altitude: 'high' is not a valid LONG")
        .contains("line 8: 3 values for 4 columns");

    ask(table);
    page(table);
    updateAndCollect(table);
    explain(table);
  }

  private static void create(String table) {
    assertThat(deli.run("create-table", table, "d").code()).isZero();
    assertThat(deli.run("create-table", table, "d"))
        .satisfies(
            again -> {
              assertThat(again.code()).isEqualTo(1);
              assertThat(again.err()).contains("exists already");
            });
    assertThat(deli.run("create-index", table, "by_country", "d:country", "--json").out())
        .startsWith("{\n  \"done\": \"created index by_country on")
        .contains("\"index\": \"by_country\",\n  \"table\": \"" + table + "\"\n}");
    Outcome numeric =
        deli.run(
            "create-index", table, "by_altitude", "d:altitude", "--type", "long", "--buckets", "4");
    assertThat(numeric.code()).isZero();
    assertThat(deli.run("indexes", table, "--format", "csv").out())
        .contains(
            table + ",by_altitude,d:altitude,LONG,exact,BY_KEY,deferred,CLIENT,ACTIVE,buckets=4");
  }

  /** One whose definitions are of a newer DELI, say. */
  @Test
  void aTableThatCannotBeReadHidesNoOther() throws Exception {
    String table = MiniCluster.uniqueTable("zz_known").getNameAsString();
    create(table);
    TableName newer = MiniCluster.uniqueTable("newer");
    try (Admin admin = MiniCluster.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(newer)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .setValue("deli.index.future", "{\"version\":99,\"name\":\"future\"}")
              .build());
      Outcome all = deli.run("indexes", "--format", "csv");
      assertThat(all.code()).isEqualTo(3);
      assertThat(all.out())
          .contains(newer + ",future,,,,,,,UNREADABLE,")
          .contains(table + ",by_country,d:country,");
      assertThat(all.err()).containsPattern(newer + ".*upgrade");
      admin.disableTable(newer);
      admin.deleteTable(newer);
    }
  }

  @Test
  void severalColumnsAreOneIndex() {
    String table = MiniCluster.uniqueTable("cli_joined").getNameAsString();
    deli.run("create-table", table, "d");
    assertThat(
            deli.run(
                    "create-index",
                    table,
                    "by_place",
                    "d:country",
                    "d:altitude",
                    "--type",
                    "STRING,LONG",
                    "--descending",
                    "d:altitude")
                .out())
        .contains("column d:country, d:altitude descending");
    assertThat(deli.run("indexes", table).out())
        .contains("d:country, d:altitude descending", "STRING, LONG");
    deli.runWith(ROWS.lines().limit(6).collect(joining("\n")), "load", table, "--key", "id");
    assertThat(csv("query", table, "by_place", "--leading", "Bolivia", "--from", "2000"))
        .containsExactly("2 \"Bolivia  12159\"", "1 \"Bolivia  11942\"");
    assertThat(csv("query", table, "by_place", "--leading", "Peru", "--equal", "505"))
        .containsExactly("5 \"Peru  505\"");
    assertThat(csv("query", table, "by_place", "--equal", "Peru"))
        .containsExactly("4 \"Peru  11152\"", "5 \"Peru  505\"");
    failsOfSeveralColumns(table);
  }

  private static void failsOfSeveralColumns(String table) {
    String[] tooMany = {
      "query", table, "by_place", "--leading", "Peru", "--leading", "505", "--equal", "1"
    };
    fails(2, "index 'by_place' is on d:country, d:altitude descending", tooMany);
    fails(1, "d:country is put without d:altitude", "put", table, "9", "country=Chile");
    fails(
        2,
        "'by_x': give one type, or one for each",
        "create-index",
        table,
        "by_x",
        "d:a",
        "d:b",
        "--type",
        "LONG,LONG,LONG");
    fails(
        1,
        "strategy 'next' does not support several columns",
        "create-index",
        table,
        "by_x",
        "d:a",
        "d:b",
        "--strategy",
        "next");
  }

  private static void ask(String table) {
    assertThat(csv("query", table, "by_country", "--equal", "Peru", "--project", "d:city"))
        .containsExactly("4 Peru Cusco", "5 Peru \"Lima, \"\"old\"\" city\"");
    assertThat(csv("query", table, "by_altitude", "--from", "1365", "--before", "11942"))
        .containsExactly("3 1365", "4 11152");
    assertThat(csv("query", table, "by_altitude", "--after", "505", "--to", "1365"))
        .containsExactly("3 1365");
    assertThat(csv("query", table, "by_country", "--prefix", "Bo", "--reverse"))
        .containsExactly("3 Bolivia", "2 Bolivia", "1 Bolivia");
    assertThat(
            csv("query", table, "by_country", "--equal", "Bolivia", "--and", "by_altitude>=12000"))
        .containsExactly("2 Bolivia");
    assertThat(csv("query", table, "by_country", "--equal", "Chile", "--or", "by_country=Peru"))
        .containsExactlyInAnyOrder("8 Chile", "4 Peru", "5 Peru");
  }

  private static void page(String table) {
    Outcome first =
        deli.run("query", table, "by_country", "--equal", "Bolivia", "--limit", "2", "--json");
    Matcher token = Pattern.compile("\"continuation\": \"([^\"]+)\"").matcher(first.out());
    assertThat(token.find()).as(first.out()).isTrue();

    assertThat(
            csv(
                "query",
                table,
                "by_country",
                "--equal",
                "Bolivia",
                "--limit",
                "2",
                "--continue",
                token.group(1)))
        .containsExactly("3 Bolivia");
  }

  private static void updateAndCollect(String table) {
    assertThat(deli.run("put", table, "1", "country=Atlantis", "altitude=-10").code()).isZero();
    assertThat(deli.run("delete", table, "3").code()).isZero();
    assertThat(csv("query", table, "by_country", "--equal", "Bolivia"))
        .containsExactly("2 Bolivia");
    assertThat(csv("query", table, "by_altitude", "--before", "0")).containsExactly("1 -10");
    assertThat(deli.run("get", table, "1", "altitude", "--format", "csv").out())
        .contains("d:altitude,-10,");
    assertThat(deli.run("stats", table, "by_country", "--format", "csv").out())
        .contains("by_country,7,7,2,28.6");

    assertThat(deli.run("collect", table, "--format", "csv").out())
        .contains("by_country,7,5,2,")
        .contains("by_altitude,6,4,2,");
    assertThat(deli.run("stats", table, "by_country", "--format", "csv").out())
        .contains("by_country,5,5,0,0.0");
  }

  private static void explain(String table) {
    String[] query = {
      "query", table, "by_country", "--equal", "Bolivia", "--and", "by_altitude>=12000", "--explain"
    };
    assertThat(deli.run(query).out())
        .contains("by_country | deferred | index range | " + table + ".by_country | Bolivia")
        .contains("multi-Get", "by_altitude in [", "(1 row)")
        .contains("scan_requests: 1\nget_requests: 1\nentries: 1\nstale: 0\nhits: 1\n");
    String[] json = Arrays.copyOf(query, query.length + 1);
    json[query.length] = "--json";
    assertThat(deli.run(json).out())
        .contains("\"steps\": [", "\"reads\": \"index range\"", "\"scan_requests\": 1,");
    fails(1, "use one of [", "query", table, "nothing", "--equal", "x", "--explain");
  }

  @Test
  void saysWhatIsWrongInOneLine() {
    String table = MiniCluster.uniqueTable("cli_errors").getNameAsString();
    fails(1, "does not exist", "query", table, "i", "--equal", "x");
    deli.run("create-table", table, "d", "e");
    fails(1, "has no index", "query", table, "i", "--equal", "x");
    fails(1, "has no row", "get", table, "nothing");
    fails(2, "has no family", "put", table, "k", "x:c=1");
    fails(2, "families", "put", table, "k", "c=1");
    deli.run("create-index", table, "i", "d:n", "--type", "INT");
    fails(1, "use one of [i]", "query", table, "j", "--equal", "x");
    fails(2, "'x' is not a valid INT", "query", table, "i", "--equal", "x");
    fails(2, "'x' is not a valid INT", "put", table, "k", "d:n=x");
    fails(2, "index 'i' takes INT", "get", table, "k", "--types", "d:n=LONG");
    fails(1, "nothing", "drop-index", table, "nothing");
  }

  @Test
  void aPartialIndexIsAskedForItsCondition() {
    String table = MiniCluster.uniqueTable("cli_partial").getNameAsString();
    deli.run("create-table", table, "d", "e");
    String[] create = {"create-index", table, "open_by_city", "d:city", "--where"};
    fails(1, "another column of the family of d:city", with(create, "e:state=open"));
    fails(
        1,
        "maintenance SERVER does not support condition d:state=open",
        with(create, "d:state=open", "--maintenance", "SERVER"));
    fails(1, "could save", with(create, "d:state=open", "--strategy", "embedded"));
    assertThat(deli.run(with(create, "d:state=open")).code()).isZero();
    assertThat(deli.run("indexes", table, "--format", "csv").out()).contains("where=d:state=open");

    assertThat(deli.run("put", table, "1", "d:city=Oslo", "d:state=open").code()).isZero();
    assertThat(deli.run("put", table, "2", "d:city=Oslo", "d:state=closed").code()).isZero();
    assertThat(deli.run("put", table, "3", "d:city=Oslo", "d:state=open").code()).isZero();
    assertThat(deli.run("put", table, "3", "d:state=closed").code()).isZero();
    fails(1, "a Put of d:city without d:state", "put", table, "2", "d:city=Oslo");
    fails(1, "a Put of d:state=open without d:city", "put", table, "2", "d:state=open");
    fails(1, "a delete of one of d:city and d:state", "delete", table, "1", "d:state");

    String[] query = {"query", table, "open_by_city", "--equal", "Oslo"};
    fails(1, "has only rows with d:state=open", query);
    fails(1, "has only rows with d:state=open", with(query, "--or", "d:state=open"));
    assertThat(csv(with(query, "--and", "d:state=open"))).containsExactly("1 Oslo");
    assertThat(deli.run(with(query, "--and", "d:state=open", "--explain")).out())
        .contains("d:state = open", "entries: 2\n", "stale: 0\n", "hits: 1\n");
  }

  @Test
  void aPartialIndexOnATypedColumn_findsRowsThatPutAndLoadWrote() {
    String table = MiniCluster.uniqueTable("cli_typed").getNameAsString();
    deli.run("create-table", table, "d");
    deli.run("create-index", table, "by_alt", "d:altitude", "--type", "LONG");
    String[] create = {"create-index", table, "low_by_city", "d:city", "--where"};
    fails(2, "d:altitude: 'low' is not a valid LONG", with(create, "d:altitude=low"));
    assertThat(deli.run(with(create, "d:altitude=83")).code()).isZero();
    assertThat(deli.run("indexes", table, "low_by_city", "--format", "csv").out())
        .contains("where=d:altitude=83");

    assertThat(deli.run("put", table, "1", "city=London", "altitude=83").code()).isZero();
    assertThat(deli.run("put", table, "2", "city=London", "altitude=84").code()).isZero();
    String loaded = "id,city,altitude\n3,London,83\n";
    assertThat(deli.runWith(loaded, "load", table, "--key", "id").code()).isZero();

    String[] query = {"query", table, "low_by_city", "--equal", "London", "--and"};
    assertThat(csv(with(query, "d:altitude=83"))).containsExactly("1 London", "3 London");
    fails(2, "d:altitude: 'low' is not a valid LONG", with(query, "d:altitude=low"));
  }

  @Test
  void aTypedIndexAfterAPartialOne_takesTheValueOfItsCondition() {
    String table = MiniCluster.uniqueTable("cli_later").getNameAsString();
    deli.run("create-table", table, "d");
    String[] text = {"create-index", table, "text", "d:city", "--where", "d:altitude=83"};
    String[] bytes = {"create-index", table, "bytes", "d:city", "--where"};
    String[] typed = {"create-index", table, "by_alt", "d:altitude", "--type", "LONG"};
    String number = "d:altitude=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x53";
    assertThat(deli.run(with(bytes, number)).code()).isZero();
    assertThat(deli.run(text).code()).isZero();
    fails(1, "with d:altitude=83, but index 'by_alt' takes only LONG there", typed);

    deli.run("drop-index", table, "text");
    assertThat(deli.run(typed).code()).isZero();
    assertThat(deli.run("put", table, "7", "city=London", "altitude=83").code()).isZero();
    assertThat(csv("query", table, "bytes", "--equal", "London", "--and", "d:altitude=83"))
        .containsExactly("7 London");
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
  }

  @Test
  void loadingAColumnOfNoFamily_isRefusedBeforeARowIsWritten() {
    String table = MiniCluster.uniqueTable("cli_family").getNameAsString();
    deli.run("create-table", table, "--family", "d");
    deli.run("create-index", table, "by_country", "d:country");

    Outcome refused = deli.runWith("id,country,utc:time\n1,Peru,x\n", "load", table, "--key", "id");

    assertThat(refused.errors()).hasSize(1);
    assertThat(refused.err()).contains("no family 'utc'");
    assertThat(refused.code()).isEqualTo(2);
  }

  @Test
  void strictLoadingStopsAtTheFirstBadLine() {
    String table = MiniCluster.uniqueTable("cli_strict").getNameAsString();
    deli.run("create-table", table, "--family", "d");
    deli.run("create-index", table, "by_altitude", "d:altitude", "--type", "LONG");

    Outcome stopped = deli.runWith(ROWS, "load", table, "--key", "id", "--strict");

    assertThat(stopped.code()).isEqualTo(1);
    assertThat(stopped.err()).contains("line 7").contains("the 5 rows before it are loaded");
    assertThat(csv("query", table, "by_altitude", "--to", "505")).containsExactly("5 505");
  }

  private static void fails(int code, String reason, String... args) {
    assertThat(deli.run(args).assertFails(code, reason).errors()).hasSize(1);
  }

  /** The rows of a result without their timestamps. */
  private static String[] csv(String... args) {
    String[] all = Arrays.copyOf(args, args.length + 2);
    all[args.length] = "--format";
    all[args.length + 1] = "csv";
    Outcome outcome = deli.run(all);
    assertThat(outcome.code()).as(outcome.err()).isZero();
    return outcome
        .out()
        .lines()
        .skip(1)
        .map(
            line ->
                line.replaceFirst("^([^,]*),(\"[^\"]*\"|[^,]*),\\d{13}", "$1 $2")
                    .replaceFirst(",", " "))
        .toArray(String[]::new);
  }
}
