package io.deli.coprocessor.internal.endpoint;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import io.deli.coprocessor.spi.Contained;
import io.deli.service.ColocatedWrite;
import io.deli.service.RegionService;
import io.deli.service.ServerScan;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;

/**
 * {@link RegionService} as HBase calls it. Thread-safe.
 *
 * @param operations asked at each call: HBase registers endpoints before it starts them; null until
 *     then
 */
public record RegionEndpoint(Supplier<? extends Operations> operations) implements Service {
  /** The operations of a region that clients call. */
  public interface Operations {
    Message describe();

    void repair(RegionService.Suspect suspect) throws IOException;

    Message kept() throws IOException;

    Message present() throws IOException;

    /** Returns the positions of entries that were not examined. */
    List<Integer> sweep(RegionService.Entries entries) throws IOException;

    /** Returns the positions of entries that the region cannot justify. */
    List<Integer> stale(RegionService.Entries entries) throws IOException;

    /** Scans this region, and the table's others on its server, for each of several callers. */
    ServerScan.Answer scan(List<ServerScan> asked) throws IOException;

    /** Writes rows with their entries, as {@link ColocatedWriter} does; tells which. */
    BitSet write(ColocatedWrite asked) throws IOException;
  }

  @Override
  public ServiceDescriptor getDescriptorForType() {
    return RegionService.DESCRIPTOR;
  }

  @Override
  public void callMethod(
      MethodDescriptor method,
      RpcController controller,
      Message request,
      RpcCallback<Message> done) {
    Message answer = getResponsePrototype(method);
    try {
      // Asking again would not help.
      answer = Contained.call(() -> answer(method, request), DoNotRetryIOException::new);
    } catch (IOException e) {
      CoprocessorRpcUtils.setControllerException(controller, e);
    }
    done.run(answer);
  }

  private Message answer(MethodDescriptor method, Message request) throws IOException {
    RegionService.requireKnown(request);
    Operations started = operations.get();
    if (started == null) {
      throw new NotServingRegionException("the region's coprocessor has not started yet");
    }
    if (method.equals(RegionService.DESCRIBE)) {
      return started.describe();
    }
    if (method.equals(RegionService.KEPT)) {
      return started.kept();
    }
    if (method.equals(RegionService.PRESENT)) {
      return started.present();
    }
    if (method.equals(RegionService.SWEEP)) {
      return RegionService.positions(started.sweep(RegionService.Entries.of(request)));
    }
    if (method.equals(RegionService.STALE)) {
      return RegionService.positions(started.stale(RegionService.Entries.of(request)));
    }
    if (method.equals(RegionService.SCAN)) {
      return started.scan(ServerScan.of(request)).toMessage();
    }
    if (method.equals(RegionService.WRITE)) {
      return ColocatedWrite.answer(started.write(ColocatedWrite.of(request)));
    }
    started.repair(RegionService.Suspect.of(request));
    return getResponsePrototype(method);
  }

  @Override
  public Message getRequestPrototype(MethodDescriptor method) {
    return RegionService.prototype(method.getInputType());
  }

  @Override
  public Message getResponsePrototype(MethodDescriptor method) {
    return RegionService.prototype(method.getOutputType());
  }
}
