package io.deli.coprocessor.internal.masterobserver;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;

/**
 * The tables that a master knows. Its own connection asks it for descriptors in this thread, by no
 * other handler's leave, and in its own name, whatever the user whom it serves may see.
 */
record MasterTables(Connection master) {
  private interface Question<A> {
    A ask(Admin master) throws IOException;
  }

  /** Empty if there is no such table. */
  Optional<TableDescriptor> find(TableName table) throws IOException {
    return answer(master -> Optional.of(master.getDescriptor(table)));
  }

  /** Whether the table is there and not disabled; one that is being disabled may be used yet. */
  boolean isUsable(TableName table) throws IOException {
    return answer(master -> Optional.of(master.isTableDisabled(table))).equals(Optional.of(false));
  }

  private <A> Optional<A> answer(Question<Optional<A>> question) throws IOException {
    Optional<RpcCall> served = RpcServer.unsetCurrentCall();
    try (Admin admin = master.getAdmin()) {
      return question.ask(admin);
    } catch (TableNotFoundException e) {
      return Optional.empty();
    } finally {
      served.ifPresent(RpcServer::setCurrentCall);
    }
  }
}
