package io.deli.tools;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** A command below {@link RootCommand}, whose options hold for it. Returns its exit code. */
@Command
public abstract class Subcommand implements Callable<Integer> {
  @ParentCommand protected RootCommand deli;
}
