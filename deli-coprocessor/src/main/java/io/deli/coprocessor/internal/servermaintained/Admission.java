package io.deli.coprocessor.internal.servermaintained;

import io.deli.config.DeliSettings;
import io.deli.coprocessor.internal.hbase.Refusal;
import io.deli.coprocessor.internal.index.TableIndexes;
import io.deli.coprocessor.internal.send.RowMarks;
import io.deli.service.DrawnTimestamp;
import io.deli.service.TimestampRefusal;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Admits mutations to a region by timestamps that were drawn before their rows were locked.
 * Thread-safe.
 *
 * <p>HBase orders the versions of a row by timestamp, and its users by time. A region server that
 * stamps a cell under the row lock makes the two agree. A timestamp that was drawn earlier, by a
 * client or here while entries were to be written, may lie behind what was applied meanwhile (the
 * value that made a condition true, an Increment, a delete), and one of another clock may lie ahead
 * of what this server will give next. So with the row locked, and conditions evaluated, a drawn
 * timestamp must
 *
 * <ul>
 *   <li>be newer than all that was given to the row on this server, by {@link RowMarks}; where
 *       Increments or Appends are newer, only if they computed columns that the mutation writes,
 *       for some rows are counted on all the time;
 *   <li>of a conditional Put, not be older than a value from the future that it replaces, if the
 *       condition reads one: HBase gives the Put the timestamp of what its condition reads;
 *   <li>be newer than the moment at which the region opened here, for what was given on another
 *       server is not known, or, where no index has a table, at which the first was met, for only
 *       deletes are noted until then; that clocks of region servers agree is what HBase asks for,
 *       too; and newer than the rows of files that were loaded since with a {@link
 *       io.deli.service.LoadMark};
 *   <li>not be ahead of this server's clock. A lead of milliseconds is waited for before the row is
 *       locked;
 *   <li>not lie behind it by more than {@link WriteAges} say. A client bounds its writes, but not
 *       the network, nor its own sleep: a request that arrives after its writer gave it up would be
 *       applied when repair has taken its entry; and a query that began ahead of it may have passed
 *       its entry's place, and looks again only for entries of a while.
 * </ul>
 *
 * Or the row's newest write must have this very timestamp and these cells: that is the same request
 * once more, whose first answer was lost, or another that makes no difference.
 *
 * <p>Anything else is refused by a {@link TimestampRefusal}, each mutation by itself unless it is
 * one of several that are atomic, and so is all that follows in its row in the same request: what a
 * client gave in one order it will draw for anew, or send again, in that order. A timestamp that
 * was refused once is never admitted later, however late a copy of its request arrives: marks only
 * rise.
 *
 * <p>Timestamps that an application gave are HBase's business. They raise marks only where the
 * clock has passed them, so that one from the future keeps nobody out. A Put of these is late, or
 * {@linkplain #isUntimely too early}, by when its client made its write id.
 */
public final class Admission {
  /** A lead that is waited for: a tick or two of two clocks that agree. */
  private static final long LEAD_MILLIS = 2;

  /** The same if the client draws by what this server told it, so as to get ahead of others. */
  private static final long REPEATED_LEAD_MILLIS = 100;

  /** From the delete in a row to what HBase gives to a column that it computes. */
  private static final long GAP_MILLIS = 2;

  private final TableName table;
  private final RegionPlace place;
  private final RowTimestamps rows;
  private final WriteAges ages;
  private final boolean isOn;

  /**
   * The newest timestamp of none: the moment from which all is noted, or that of rows loaded since.
   */
  private final AtomicLong opened;

  private volatile boolean notes;

  private final RefusedRows refused;
  private final Conditions conditions;

  /**
   * @param isOn whether drawn timestamps are looked at; if not, all are admitted
   * @param notes whether some are expected, as for indexes with tables; else the first is refused
   */
  public Admission(
      TableName table,
      RegionPlace place,
      RowMarks marks,
      WriteAges ages,
      boolean isOn,
      boolean notes) {
    this.table = table;
    this.place = place;
    this.ages = ages;
    this.rows = new RowTimestamps(marks, table);
    this.refused = new RefusedRows(table, place);
    this.conditions = new Conditions(place);
    this.isOn = isOn;
    this.notes = notes;
    this.opened = new AtomicLong(notes ? place.now() : Long.MAX_VALUE);
  }

  static Admission of(
      RegionCoprocessorEnvironment env,
      TableIndexes indexes,
      RowMarks marks,
      WriteAges ages,
      Consumer<String> problems) {
    return new Admission(
        env.getRegion().getTableDescriptor().getTableName(),
        RegionPlace.of(env.getRegion()),
        marks,
        ages,
        DeliSettings.ADMISSION.get(env.getConfiguration(), problems),
        indexes.mayHaveTables());
  }

  /** Draws a timestamp here, greater than all that was given to the row. */
  long draw(byte[] row) {
    return rows.next(row);
  }

  /** Waits while a drawn timestamp is a little ahead of the clock; no row is locked. */
  void await(Mutation mutation) throws IOException {
    Optional<DrawnTimestamp> drawn = isOn ? DrawnTimestamp.of(mutation) : Optional.empty();
    if (drawn.isPresent()) {
      ClockWait.await(drawn.get().timestamp(), awaitedMillis(drawn.get()));
    }
  }

  /** A lead over the server's clock up to which a drawn timestamp is waited for, and so long. */
  public static long awaitedMillis(DrawnTimestamp drawn) {
    return drawn.repeated() ? REPEATED_LEAD_MILLIS : LEAD_MILLIS;
  }

  /**
   * Has all that is written from now on be newer than the rows of files that are about to be
   * loaded: what is drawn, by its admission, and what this server stamps, by its clock.
   *
   * @throws RegionTooBusyException if the clock is far behind their timestamp
   */
  void loading(long timestamp) throws IOException {
    ClockWait.await(timestamp + 1);
    if (timestamp >= place.now()) {
      throw new RegionTooBusyException(
          "table %s: rows of timestamp %d are not loaded, which is ahead of the region server's clock; try again"
              .formatted(table, timestamp));
    }
    begin();
    opened.accumulateAndGet(timestamp, Math::max);
  }

  /** Waits until what HBase computes for the row will have a timestamp greater than its deletes. */
  void awaitComputed(byte[] row) throws IOException {
    if (isOn) {
      ClockWait.await(rows.newestDelete(row) + GAP_MILLIS, LEAD_MILLIS + GAP_MILLIS);
    }
  }

  /**
   * Admits the mutations of a batch, whose rows are locked, or has them fail by themselves.
   *
   * @throws FailedSanityCheckException if one is refused whose batch is atomic
   * @throws RegionTooBusyException if it is to be tried again as a whole
   */
  public void admit(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    if (!isOn) {
      return;
    }
    long now = place.now();
    boolean repeated = false;
    OptionalLong computed =
        rows.newestComputed(batch.size() > 1 ? RowWrite.computed(batch) : List.of());
    for (int i = 0; i < batch.size(); i++) {
      if (!Refusal.isPending(batch, i)) {
        continue;
      }
      Mutation mutation = batch.getOperation(i);
      DrawnTimestamp drawn = DrawnTimestamp.of(mutation).orElse(null);
      if (drawn == null) {
        if (RowTimestamps.isComputed(mutation)) {
          requireBehind(batch, mutation.getRow(), now);
        } else if (computed.isEmpty()) {
          // Else what a request computed whose answer was lost would be sent, and computed, again.
          refused.refuseBehind(batch, i);
        }
      } else if (drawn.atomic() && isRepeated(computed, drawn.timestamp())) {
        batch.setOperationStatus(i, OperationStatus.SUCCESS);
      } else if ((isAdmitted(mutation, drawn.timestamp(), now, repeated)
              && conditions.hiding(batch, mutation, drawn.timestamp()) == 0)
          || isThere(batch, i, drawn)) {
        // The others of an atomic batch are the same operation, of the same timestamp.
        repeated = drawn.atomic();
      } else {
        refuse(batch, i, drawn, now);
      }
    }
  }

  /**
   * Begins a conditional write, whose row is locked and whose condition is evaluated then. Waits
   * until HBase gives it a timestamp greater than the row's deletes, which would hide it.
   *
   * <p>What computes begins behind a refused mutation, too: if its answer was lost, it is done, as
   * HBase knows by its nonce once the condition holds. If it is not done, it is refused then.
   *
   * @throws FailedSanityCheckException if it would not see a mutation of its request
   */
  public void begin(CheckAndMutate conditional) throws IOException {
    if (isOn) {
      if (RowWrite.computed(conditional).isEmpty()) {
        refused.requireNone(conditional.getRow());
      }
      conditions.begin(conditional);
      awaitComputed(conditional.getRow());
    }
  }

  /**
   * Ends a conditional write. That its condition does not hold is final if what it computes may be
   * done, here or before the region opened, by a request whose answer was lost: sent again, it
   * would be computed twice.
   *
   * @throws FailedSanityCheckException if its condition has not seen a mutation of its request
   */
  public void end(CheckAndMutate conditional, boolean success) throws IOException {
    if (isOn && !success) {
      Optional<RefusedRows.Refused> earlier = refused.of(conditional.getRow());
      if (earlier.isPresent()
          && earlier.get().drawn() > opened.get()
          && RowWrite.computed(conditional).stream()
              .noneMatch(each -> rows.haveComputed(each, earlier.get().drawn()))) {
        refused.requireNone(conditional.getRow());
      }
    }
  }

  /** Has what rows are given be noted from now on. */
  private void begin() {
    if (opened.get() == Long.MAX_VALUE) {
      notes = true;
      // Read behind: what was not noted was given before.
      opened.compareAndSet(Long.MAX_VALUE, place.now());
    }
  }

  /** Whether HBase has computed one of them before, and no other coprocessor in its stead. */
  private boolean isRepeated(OptionalLong computed, long timestamp) {
    return computed.isPresent() && timestamp <= Math.max(opened.get(), computed.getAsLong());
  }

  private boolean isAdmitted(Mutation mutation, long timestamp, long now, boolean repeated) {
    begin();
    return timestamp <= now
        && timestamp >= now - ages.drawn()
        && timestamp > opened.get()
        && refused.of(mutation.getRow()).isEmpty()
        && !rows.haveComputed(mutation, timestamp)
        // At once, for HBase lets others write the row meanwhile, and the batch may write it again.
        && (rows.raise(mutation, timestamp) || repeated);
  }

  /**
   * Whether repair may have taken the entries of a write that its writer began then, or would leave
   * them for as long as his clock is ahead.
   */
  public boolean isUntimely(long begun) {
    long now = place.now();
    return isOn && (begun < now - ages.begun() || begun > now + ages.begun());
  }

  private boolean isThere(
      MiniBatchOperationInProgress<Mutation> batch, int position, DrawnTimestamp drawn)
      throws IOException {
    byte[] row = batch.getOperation(position).getRow();
    if (rows.newestOrComputed(row) != drawn.timestamp()
        || drawn.timestamp() <= opened.get()
        || refused.of(row).isPresent()) {
      return false;
    }
    int end = drawn.atomic() ? batch.size() : position + 1;
    return place.holds(
        row,
        drawn.timestamp(),
        IntStream.range(position, end)
            .mapToObj(batch::getOperation)
            .flatMap(RowWrite::cellsOf)
            .toList());
  }

  private void refuse(
      MiniBatchOperationInProgress<Mutation> batch, int position, DrawnTimestamp drawn, long now)
      throws IOException {
    Mutation mutation = batch.getOperation(position);
    byte[] row = mutation.getRow();
    // A timestamp ahead of the clock may yet be admitted, so it is not told of what is further.
    long hiding =
        drawn.timestamp() > now ? 0 : conditions.hiding(batch, mutation, drawn.timestamp());
    long newest = Math.max(hiding, Math.max(opened.get(), rows.newestOrComputed(row)));
    FailedSanityCheckException refusal =
        refused.refuse(row, drawn.timestamp(), new TimestampRefusal(newest, now));
    if (drawn.atomic()) {
      throw refusal;
    }
    Refusal.refuse(batch, position, OperationStatusCode.SANITY_CHECK_FAILURE, refusal.getMessage());
  }

  /**
   * Has an Increment or Append tried again that would not see a mutation of its request, or that
   * got the time of a drawn timestamp, or nearly so, and would be hidden if that is a delete's. By
   * an exception, for what HBase applies as a whole it answers as done whatever the statuses say.
   */
  private void requireBehind(MiniBatchOperationInProgress<Mutation> batch, byte[] row, long now)
      throws IOException {
    refused.requireNone(row);
    if (isNear(rows.newestDelete(row), now) && !RowWrite.deletes(batch)) {
      throw new RegionTooBusyException(
          "table %s, row '%s': written this very moment; try again"
              .formatted(table, Bytes.toStringBinary(row)));
    }
  }

  private static boolean isNear(long given, long now) {
    return given > now - GAP_MILLIS && given <= now;
  }

  /**
   * Records a batch that was applied, whose rows are still locked and which nobody sees yet.
   *
   * @param conditional whether it was decided by what its rows held
   */
  public void applied(MiniBatchOperationInProgress<Mutation> batch, boolean conditional) {
    if (!isOn) {
      return;
    }
    long now = place.now();
    for (int i = 0; i < batch.size(); i++) {
      // A delete would hide what HBase computes at its moment.
      if (Refusal.isPending(batch, i) && (notes || batch.getOperation(i) instanceof Delete)) {
        applied(batch.getOperation(i), conditional, now);
      }
    }
  }

  private void applied(Mutation mutation, boolean conditional, long now) {
    if (RowTimestamps.isComputed(mutation)) {
      rows.computed(mutation, now);
    } else if (DrawnTimestamp.of(mutation).isEmpty()) {
      rows.raise(mutation, RowTimestamps.newest(mutation, now));
    }
    if (conditional) {
      if (RowTimestamps.isComputed(mutation)) {
        rows.raise(mutation, now);
      }
      rows.decided(mutation.getRow());
    }
  }

  /** Records the columns of an applied write that may overtake those whose entries wait. */
  void wrote(RowWrite write) {
    if (isOn) {
      rows.wrote(write, place.now());
    }
  }

  /**
   * Whether a write with a timestamp that was drawn here would lie behind one that was decided
   * without it, or be torn by others, as {@link WrittenColumns} says.
   */
  boolean isOvertaken(RowWrite write, long timestamp) {
    return rows.haveOvertaken(write, timestamp);
  }
}
