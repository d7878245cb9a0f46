package io.deli.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import io.deli.entry.Entry;
import io.deli.entry.WriteId;
import io.deli.index.Column;
import io.deli.index.IndexDefinition;
import io.deli.service.RegionService.Entries;
import io.deli.service.RegionService.Suspect;
import io.deli.strategy.IndexDefinitions;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RegionServiceTest {
  private static final TableDescriptor TABLE =
      TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
          .build();
  private static final Suspect SUSPECT =
      new Suspect("by_user", new Entry(new byte[] {1}, new byte[] {2}, 3, WriteId.of(4, 5)));

  private static Message inVersion(Message message, int version) {
    return message.toBuilder()
        .setField(message.getDescriptorForType().findFieldByName("version"), version)
        .build();
  }

  /** As the first DELI would have written it, had it not named its version. */
  private static Message withoutVersion(Message message) {
    return message.toBuilder()
        .clearField(message.getDescriptorForType().findFieldByName("version"))
        .build();
  }

  @Test
  void messagesSayTheirVersion() {
    for (Message message :
        new Message[] {RegionService.NOTHING, RegionService.describe(TABLE), SUSPECT.toMessage()}) {
      assertThat(message.getField(message.getDescriptorForType().findFieldByName("version")))
          .isEqualTo(1);
    }
  }

  @Test
  void messagesAreReadAsTheyWereWritten() throws Exception {
    assertThat(Suspect.of(SUSPECT.toMessage()).entry()).isEqualTo(SUSPECT.entry());
    Entry other = new Entry(new byte[] {6}, new byte[] {7}, 8, WriteId.NONE);
    Entries entries = new Entries("by_user", 3, List.of(SUSPECT.entry(), other));
    assertThat(Entries.of(entries.toMessage())).isEqualTo(entries);
    assertThat(RegionService.positions(RegionService.positions(List.of(0, 7))))
        .containsExactly(0, 7);
    assertThat(RegionService.versions(RegionService.versions(5))).isEqualTo(5);
    Message kept = RegionService.kept(5, List.of(6L, 7L));
    assertThat(RegionService.versions(kept)).isEqualTo(5);
    assertThat(RegionService.compacted(kept)).containsExactly(6L, 7L);
    for (Message message :
        List.of(entries.toMessage(), RegionService.positions(List.of(1)), kept)) {
      Message empty = RegionService.prototype(message.getDescriptorForType());
      assertThat(empty.newBuilderForType().mergeFrom(message.toByteArray()).build())
          .isEqualTo(message);
    }
  }

  @Test
  void aDescription_isOfFamiliesAndIndexes_andNothingElse() throws Exception {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TABLE).setDurability(Durability.FSYNC_WAL);
    IndexDefinitions.put(table, IndexDefinition.on("by_user", Column.parse("f:user")));
    TableDescriptor described = table.build();
    ColumnFamilyDescriptor family =
        ColumnFamilyDescriptorBuilder.newBuilder(TABLE.getColumnFamily(Bytes.toBytes("f")))
            .setEncryptionKey(new byte[] {1})
            .setConfiguration("secret", "y")
            .build();
    TableDescriptor more = table.modifyColumnFamily(family).setValue("secret", "x").build();
    assertThat(RegionService.description(RegionService.describe(more))).isEqualTo(described);
  }

  @Test
  void withoutVersionTheyAreOfTheFirst() throws Exception {
    assertThatCode(() -> RegionService.requireKnown(withoutVersion(SUSPECT.toMessage())))
        .doesNotThrowAnyException();
    assertThat(RegionService.description(withoutVersion(RegionService.describe(TABLE))))
        .isEqualTo(RegionService.description(RegionService.describe(TABLE)));
    assertThat(Suspect.of(withoutVersion(SUSPECT.toMessage())).entry()).isEqualTo(SUSPECT.entry());
  }

  @Test
  void requestsInAnotherVersionAreRefused() {
    for (Message request : new Message[] {RegionService.NOTHING, SUSPECT.toMessage()}) {
      assertThatCode(() -> RegionService.requireKnown(request)).doesNotThrowAnyException();
      assertThatThrownBy(() -> RegionService.requireKnown(inVersion(request, 2)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("version 2", "answers version 1", "upgrade the region servers");
    }
  }

  @Test
  void answersInAnotherVersionAreRefused() {
    assertThatThrownBy(() -> RegionService.description(inVersion(RegionService.describe(TABLE), 2)))
        .isInstanceOf(DeserializationException.class)
        .hasMessageContainingAll("version 2", "reads version 1", "upgrade DELI here");
  }

  @Test
  void whatNoVersionCanHaveIsNoEntry() {
    for (Entry entry :
        List.of(
            new Entry(new byte[1], new byte[0], 1, WriteId.NONE),
            new Entry(new byte[1], new byte[40_000], 1, WriteId.NONE),
            new Entry(new byte[1], new byte[1], -1, WriteId.NONE),
            new Entry(new byte[1], new byte[1], Long.MAX_VALUE, WriteId.NONE))) {
      Message request = new Suspect("by_user", entry).toMessage();
      assertThatThrownBy(() -> Suspect.of(request))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("no version has a row key of " + entry.key().length);
    }
  }

  @Test
  void theLimitsOfAVersionAreAnEntry() {
    for (Entry entry :
        List.of(
            new Entry(new byte[1], new byte[1], 0, WriteId.NONE),
            new Entry(new byte[1], new byte[HConstants.MAX_ROW_LENGTH], 1, WriteId.NONE))) {
      assertThat(Suspect.of(new Suspect("by_user", entry).toMessage()).entry()).isEqualTo(entry);
    }
  }
}
