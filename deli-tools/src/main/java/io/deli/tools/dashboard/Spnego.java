package io.deli.tools.dashboard;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import io.deli.tools.ExitCode;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSCredential;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;

/**
 * Admits who shows a Kerberos ticket and is the user who runs the page, whose rights it reads with,
 * or named an administrator: by the keys that HBase's own pages are guarded with.
 */
final class Spnego extends Authenticator {
  private static final String UI = "hbase.security.authentication.ui";
  private static final String KEYS = "hbase.security.authentication.spnego.";
  private static final String SCHEME = "Negotiate";

  private final UserGroupInformation server;
  private final String owner;
  private final Collection<String> admins;

  private Spnego(UserGroupInformation server, String owner, Collection<String> admins) {
    this.server = server;
    this.owner = owner;
    this.admins = admins;
  }

  /**
   * Returns what guards a page; empty if HBase's are open to all.
   *
   * @throws io.deli.tools.Failure if the principal cannot be logged in by its keytab
   */
  static Optional<Authenticator> of(Configuration conf) {
    if (!conf.get(UI, "simple").equals("kerberos")) {
      return Optional.empty();
    }
    String keytab = conf.get(KEYS + "kerberos.keytab", "");
    try {
      String principal =
          SecurityUtil.getServerPrincipal(conf.get(KEYS + "kerberos.principal", ""), "localhost");
      return Optional.of(
          new Spnego(
              UserGroupInformation.loginUserFromKeytabAndReturnUGI(principal, keytab),
              UserGroupInformation.getCurrentUser().getShortUserName(),
              List.of(conf.getTrimmedStrings(KEYS + "admin.users"))));
    } catch (IOException e) {
      throw new io.deli.tools.Failure(
          ExitCode.UNAVAILABLE,
          "%s = kerberos, and no log-in by %skerberos.principal and .keytab (%s): set both"
              .formatted(UI, KEYS, e.getMessage()),
          e);
    }
  }

  @Override
  public Result authenticate(HttpExchange exchange) {
    String header = exchange.getRequestHeaders().getFirst("Authorization");
    if (header == null || !header.startsWith(SCHEME + " ")) {
      exchange.getResponseHeaders().set("WWW-Authenticate", SCHEME);
      return new Retry(401);
    }
    try {
      byte[] ticket = Base64.getDecoder().decode(header.substring(SCHEME.length()).trim());
      String principal =
          server.doAs((PrivilegedExceptionAction<String>) () -> clientOf(ticket, exchange));
      String user = UserGroupInformation.createRemoteUser(principal).getShortUserName();
      return user.equals(owner) || admins.contains(user)
          ? new Success(new HttpPrincipal(user, SCHEME))
          : new Failure(403);
    } catch (IOException | InterruptedException | RuntimeException e) {
      return new Failure(403);
    }
  }

  private static String clientOf(byte[] ticket, HttpExchange exchange) throws GSSException {
    GSSContext context = GSSManager.getInstance().createContext((GSSCredential) null);
    try {
      byte[] answer = context.acceptSecContext(ticket, 0, ticket.length);
      if (!context.isEstablished()) {
        throw new GSSException(GSSException.DEFECTIVE_TOKEN);
      }
      if (answer != null) {
        exchange
            .getResponseHeaders()
            .set("WWW-Authenticate", SCHEME + " " + Base64.getEncoder().encodeToString(answer));
      }
      return context.getSrcName().toString();
    } finally {
      context.dispose();
    }
  }
}
