package io.deli.coprocessor.internal.servermaintained;

import static io.deli.coprocessor.internal.servermaintained.LockedBatches.FAMILY;
import static io.deli.coprocessor.internal.servermaintained.LockedBatches.batch;
import static io.deli.coprocessor.internal.servermaintained.LockedBatches.codes;

import io.deli.coprocessor.internal.send.RowMarks;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;

/** A region that opened at 1,000, by a clock that stands at 2,000 until it is set. */
abstract class AdmittingRegion implements RegionPlace {
  static final WriteAges AGES = WriteAges.of(8_000, 8_000);
  static final String ADMITTED = "NOT_RUN";
  static final String REFUSED = "SANITY_CHECK_FAILURE";

  final List<Cell> cells = new ArrayList<>();
  final RowMarks marks = new RowMarks();
  long now = 1_000;
  long future;
  Object request = new Object();
  boolean ofEach = true;
  final Admission admission = new Admission(TableName.valueOf("t"), this, marks, AGES, true, true);

  AdmittingRegion() {
    now = 2_000;
  }

  @Override
  public long now() {
    return now;
  }

  @Override
  public Object request() {
    return request;
  }

  @Override
  public boolean isOfEach(byte[] row) {
    return ofEach;
  }

  @Override
  public List<Cell> cells(byte[] row, long timestamp) {
    return cells.stream().filter(cell -> cell.getTimestamp() == timestamp).toList();
  }

  @Override
  public long newest(Get get) {
    return get.getFamilyMap().get(FAMILY).contains(Bytes.toBytes("p")) ? 0 : future;
  }

  List<String> admit(Mutation... mutations) throws Exception {
    MiniBatchOperationInProgress<Mutation> batch = batch(mutations);
    admission.admit(batch);
    return codes(batch);
  }

  /** The same of another request. */
  List<String> admitNext(Mutation... mutations) throws Exception {
    request = new Object();
    return admit(mutations);
  }

  void apply(boolean conditional, Mutation... mutations) {
    admission.applied(batch(mutations), conditional);
  }

  Put begun(Put put) throws Exception {
    admission.begin(CheckAndMutate.newBuilder(put.getRow()).ifNotExists(FAMILY, FAMILY).build(put));
    return put;
  }
}
