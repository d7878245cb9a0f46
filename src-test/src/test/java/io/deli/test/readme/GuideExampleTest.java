package io.deli.test.readme;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.deli.client.AsyncDeliTable;
import io.deli.client.BuildOptions;
import io.deli.client.Continuation;
import io.deli.client.CreateIndexOptions;
import io.deli.client.DeliAdmin;
import io.deli.client.DeliConnection;
import io.deli.client.DeliTable;
import io.deli.client.ExistingRows;
import io.deli.client.ProgressListener;
import io.deli.client.ValueHit;
import io.deli.client.ValuePage;
import io.deli.client.ValueQuery;
import io.deli.client.ValueScanner;
import io.deli.client.VerifyOptions;
import io.deli.client.VerifyReport;
import io.deli.client.WriteRefusedException;
import io.deli.index.Column;
import io.deli.index.EntryOrder;
import io.deli.index.IndexDefinition;
import io.deli.index.ValueType;
import io.deli.test.cluster.MiniCluster;
import io.deli.token.Tokenizer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The examples of the guide: the text there is the text here, and it runs. */
class GuideExampleTest {
  private final TableName tweets = MiniCluster.uniqueTable("guide");
  private DeliConnection connection;
  private DeliTable table;

  @BeforeEach
  void createTable() throws IOException {
    MiniCluster.utility().createTable(tweets, toBytes("d")).close();
    connection = MiniCluster.connect();
    createIndexes();
    table = connection.getTable(tweets);
    write();
  }

  @AfterEach
  void close() throws IOException {
    table.close();
    connection.close();
  }

  private void createIndexes() throws IOException {
    // example create
    DeliAdmin admin = connection.getDeliAdmin();
    admin.createIndex(tweets, IndexDefinition.on("by_user", Column.parse("d:user")));
    admin.createIndex(
        tweets,
        IndexDefinition.on("by_likes", Column.parse("d:likes"))
            .withType(ValueType.LONG)
            .withStrategy("in-place"));
    admin.createIndex(
        tweets,
        IndexDefinition.on("by_word", Column.parse("d:text"))
            .withTokenizer(Words.class.getName())
            .withOrder(EntryOrder.BY_TIME));
    // end
  }

  private void write() throws IOException {
    // example write
    byte[] d = toBytes("d");
    Put first = new Put(toBytes("t1"));
    first.addColumn(d, toBytes("user"), toBytes("alice"));
    first.addColumn(d, toBytes("likes"), toBytes(12L));
    first.addColumn(d, toBytes("text"), toBytes("Hello world"));
    table.put(first);
    table.checkAndMutate(
        CheckAndMutate.newBuilder(toBytes("t2"))
            .ifNotExists(d, toBytes("user"))
            .build(new Put(toBytes("t2")).addColumn(d, toBytes("user"), toBytes("bob"))));
    table.delete(new Delete(toBytes("t3")));
    try (BufferedMutator mutator = connection.getBufferedMutator(tweets)) {
      mutator.mutate(new Put(toBytes("t4")).addColumn(d, toBytes("user"), toBytes("alice")));
    }
    // end
  }

  @Test
  void queriesFindRows() throws IOException {
    // example query
    ValueQuery byAlice = ValueQuery.on("by_user").equalTo(toBytes("alice"));
    ValueQuery liked = ValueQuery.on("by_likes").between(toBytes(10L), true, toBytes(20L), false);
    ValueQuery query = byAlice.and(liked).project(Column.parse("d:text"));
    try (ValueScanner hits = table.readValue(query)) {
      for (ValueHit hit : hits) {
        System.out.println(Bytes.toString(hit.row()) + ": " + hit.projected());
      }
    }
    // end
    assertThat(rows(query)).containsExactly("t1");
    assertThat(rows(byAlice)).containsExactly("t1", "t4");
  }

  @Test
  void kindsOfQueriesAreAnswered() throws IOException {
    long now = System.currentTimeMillis();
    // example kinds
    List<ValueQuery> kinds =
        List.of(
            ValueQuery.on("by_user").prefix(toBytes("al")),
            ValueQuery.on("by_user").atLeast(toBytes("b")).reversed(),
            ValueQuery.on("by_user").equalTo(toBytes("bob")).asOf(now),
            ValueQuery.on("by_user").equalTo(toBytes("alice")).versions(1).limit(10),
            ValueQuery.on("by_word").equalTo(toBytes("hello")).mostRecent(5));
    // end
    assertThat(kinds).allSatisfy(query -> assertThat(rows(query)).isNotEmpty());
  }

  @Test
  void pagesContinue() throws IOException {
    // example page
    ValueQuery page = ValueQuery.on("by_user").equalTo(toBytes("alice")).limit(1);
    String token;
    try (ValueScanner hits = table.readValue(page)) {
      hits.forEach(hit -> System.out.println(hit));
      token = hits.continuation().map(Continuation::toString).orElse("");
    }
    // later, perhaps in another process
    ValueQuery next = page.from(Continuation.parse(token));
    // end
    assertThat(rows(next)).containsExactly("t4");
  }

  @Test
  void theAsynchronousTableAnswers() throws IOException {
    // example async
    AsyncDeliTable async = connection.getAsyncTable(tweets);
    CompletableFuture<ValuePage> page =
        async
            .put(new Put(toBytes("t5")).addColumn(d(), toBytes("user"), toBytes("carol")))
            .thenCompose(
                done -> async.readValue(ValueQuery.on("by_user").equalTo(toBytes("carol"))));
    // end
    assertThat(page.join().hits()).hasSize(1);
    assertThat(page.join().continuation()).isEqualTo(Optional.empty());
  }

  @Test
  void refusalsNameTheRemedy() {
    // example refuse
    try {
      table.increment(new Increment(toBytes("t1")).addColumn(d(), toBytes("likes"), 1));
    } catch (WriteRefusedException e) {
      System.out.println(e.getMessage()); // nothing was written
    } catch (IOException e) {
      System.out.println("HBase failed: " + e); // as without DELI: it may be written, or not
    }
    // end
    assertThat(rows(ValueQuery.on("by_likes").equalTo(toBytes(12L)))).containsExactly("t1");
  }

  @Test
  void anIndexIsBuiltAndVerified() throws IOException {
    // example build
    DeliAdmin admin = connection.getDeliAdmin();
    admin.createIndex(
        tweets,
        IndexDefinition.on("by_text", Column.parse("d:text")),
        CreateIndexOptions.DEFAULT.withExistingRows(ExistingRows.BUILD));
    admin.build(tweets, "by_text", BuildOptions.DEFAULT.withThreads(2), ProgressListener.NONE);
    admin.collect(tweets, ProgressListener.NONE);
    VerifyReport report =
        admin.verify(tweets, "by_text", VerifyOptions.DEFAULT, ProgressListener.NONE);
    // end
    assertThat(report.isClean()).isTrue();
  }

  @Test
  void areWhatTheGuideShows() throws IOException {
    Examples.areRunBy(getClass(), "docs/guide.md");
  }

  private static byte[] d() {
    return toBytes("d");
  }

  private List<String> rows(ValueQuery query) {
    List<String> rows = new ArrayList<>();
    try (ValueScanner hits = table.readValue(query)) {
      hits.forEach(hit -> rows.add(Bytes.toString(hit.row())));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return rows;
  }

  // example tokenizer
  /** The words of a text, in lower case. */
  public static final class Words implements Tokenizer {
    @Override
    public List<byte[]> tokens(byte[] value) {
      String text = new String(value, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
      return Pattern.compile("\\W+").splitAsStream(text).distinct().map(Bytes::toBytes).toList();
    }
  }
  // end
}
