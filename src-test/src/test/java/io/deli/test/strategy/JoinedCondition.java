package io.deli.test.strategy;

import io.deli.client.ValueQuery;
import java.util.Random;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.util.Bytes;

/** A condition on two columns, and what it says of a pair. */
record JoinedCondition(ValueQuery query, Predicate<JoinedPair> holds) {
  static JoinedCondition any(ValueQuery.Target target, Random random, String user, long time) {
    byte[] user1 = Bytes.toBytes(user);
    byte[] time1 = Bytes.toBytes(time);
    ValueQuery.Target ofUser = target.leading(user1);
    return switch (random.nextInt(6)) {
      case 0 -> new JoinedCondition(target.equalTo(user1), pair -> pair.user().equals(user));
      case 1 -> new JoinedCondition(target.prefix(user1), pair -> pair.user().startsWith(user));
      case 2 ->
          new JoinedCondition(target.greaterThan(user1), pair -> pair.user().compareTo(user) > 0);
      case 3 ->
          new JoinedCondition(
              ofUser.equalTo(time1), pair -> pair.user().equals(user) && pair.time() == time);
      case 4 ->
          new JoinedCondition(
              ofUser.lessThan(time1), pair -> pair.user().equals(user) && pair.time() < time);
      default ->
          new JoinedCondition(
              ofUser.between(time1, Bytes.toBytes(time + 2)),
              pair -> pair.user().equals(user) && pair.time() >= time && pair.time() <= time + 2);
    };
  }
}
