package io.deli.simulation;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** What requests and answers look like in a trace. */
final class Wording {
  private Wording() {}

  static String of(Object thing) {
    if (thing instanceof Object[] several) {
      return of(Arrays.asList(several));
    } else if (thing instanceof Collection<?> several) {
      return several.stream().map(Wording::of).collect(Collectors.joining("; ", "[", "]"));
    } else if (thing instanceof TableDescriptor) {
      return "its definitions";
    } else if (thing instanceof Get get) {
      return "get " + Bytes.toStringBinary(get.getRow());
    } else if (thing instanceof Scan scan) {
      return "scan %s to %s%s"
          .formatted(
              Bytes.toStringBinary(scan.getStartRow()),
              Bytes.toStringBinary(scan.getStopRow()),
              scan.getLimit() > 0 ? " for " + scan.getLimit() + " rows" : "");
    } else if (thing instanceof RowMutations several) {
      return "at once " + of(several.getMutations());
    } else if (thing instanceof CheckAndMutate conditional) {
      return conditional(conditional);
    } else if (thing instanceof Mutation mutation) {
      return mutation.isEmpty()
          ? "delete " + Bytes.toStringBinary(mutation.getRow())
          : mutation.getFamilyCellMap().values().stream()
              .flatMap(List::stream)
              .map(Wording::of)
              .collect(Collectors.joining(", "));
    } else if (thing instanceof Result result) {
      return result.isEmpty() ? "nothing" : of(result.listCells());
    } else if (thing instanceof CheckAndMutateResult result) {
      return result.isSuccess() ? "done" : "not so";
    } else if (thing instanceof Cell cell) {
      return cell(cell);
    }
    return String.valueOf(thing);
  }

  private static String conditional(CheckAndMutate conditional) {
    if (conditional.hasFilter()) {
      return "if %s: %s".formatted(conditional.getFilter(), of(conditional.getAction()));
    }
    byte[] value = conditional.getValue();
    return "if %s %s: %s"
        .formatted(
            Bytes.toStringBinary(conditional.getQualifier()),
            value == null || value.length == 0 ? "is absent" : "= " + Bytes.toStringBinary(value),
            of(conditional.getAction()));
  }

  private static String cell(Cell cell) {
    return "%s %s:%s/%s%s"
        .formatted(
            cell.getType() == Cell.Type.Put ? "put" : cell.getType(),
            Bytes.toStringBinary(CellUtil.cloneRow(cell)),
            shortened(Bytes.toStringBinary(CellUtil.cloneQualifier(cell))),
            cell.getTimestamp(),
            cell.getValueLength() == 0
                ? ""
                : "=" + Bytes.toStringBinary(CellUtil.cloneValue(cell)));
  }

  /** The entries' qualifiers are the ids of writes, whose end tells them apart. */
  private static String shortened(String qualifier) {
    return qualifier.length() <= 8 ? qualifier : qualifier.substring(qualifier.length() - 8);
  }
}
