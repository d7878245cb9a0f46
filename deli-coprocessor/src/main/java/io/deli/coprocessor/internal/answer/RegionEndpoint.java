package io.deli.coprocessor.internal.answer;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import io.deli.service.RegionService;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;

/** {@link RegionService} as HBase calls it. Thread-safe. */
public final class RegionEndpoint implements Service {
  private final Supplier<? extends Answers> answers;

  /** Who answers. */
  public interface Answers {
    Message describe();

    void repair(RegionService.Suspect suspect) throws IOException;
  }

  /**
   * @param answers asked at each call: HBase registers endpoints before it starts them
   */
  public RegionEndpoint(Supplier<? extends Answers> answers) {
    this.answers = answers;
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
      RegionService.requireKnown(request);
      if (method.equals(RegionService.DESCRIBE)) {
        answer = answers.get().describe();
      } else {
        answers.get().repair(RegionService.Suspect.of(request));
      }
    } catch (IllegalArgumentException e) {
      CoprocessorRpcUtils.setControllerException(controller, new DoNotRetryIOException(e));
    } catch (IOException e) {
      CoprocessorRpcUtils.setControllerException(controller, e);
    }
    done.run(answer);
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
