package io.deli.test.cluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The files of the machine, without checksums, and without a process for each permission set. The
 * users of this JVM are one to the machine; that one may not read another's is seen to here.
 */
public final class LocalFiles extends LocalFileSystem {
  static final String SETTING = "fs.file.impl";

  public LocalFiles() {
    super(new Raw());
    setWriteChecksum(false);
    setVerifyChecksum(false);
  }

  private static final class Raw extends RawLocalFileSystem {
    private String user;

    @Override
    public void initialize(URI uri, Configuration configuration) throws IOException {
      super.initialize(uri, configuration);
      user = UserGroupInformation.getCurrentUser().getShortUserName();
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
      if (!user.equals(System.getProperty("user.name")) && !isForAll(path.getParent())) {
        throw new AccessControlException("user=%s may not read %s".formatted(user, path));
      }
      return super.open(path, bufferSize);
    }

    private boolean isForAll(Path directory) throws IOException {
      return Files.getPosixFilePermissions(pathToFile(directory).toPath())
          .contains(PosixFilePermission.OTHERS_EXECUTE);
    }

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
      Files.setPosixFilePermissions(
          pathToFile(path).toPath(),
          PosixFilePermissions.fromString(
              permission.getUserAction().SYMBOL
                  + permission.getGroupAction().SYMBOL
                  + permission.getOtherAction().SYMBOL));
    }
  }
}
