package io.deli.test.docs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The commands of a program as the reference shows them: one entry each, with its options. */
final class CommandLines {
  private static final int WIDTH = 120;

  private CommandLines() {}

  /** The lines of all commands, subcommands included, in the order of the program's help. */
  static List<String> of(CommandLine program) {
    List<String> lines = new ArrayList<>();
    program.getSubcommands().values().forEach(command -> add("", command, lines));
    return lines;
  }

  private static void add(String parents, CommandLine command, List<String> lines) {
    CommandSpec spec = command.getCommandSpec();
    String name = parents + spec.name();
    if (!command.getSubcommands().isEmpty()) {
      command.getSubcommands().values().forEach(each -> add(name + " ", each, lines));
      return;
    }
    StringBuilder call = new StringBuilder(name);
    for (PositionalParamSpec each : spec.positionalParameters()) {
      boolean repeated = each.index().isVariable() || each.arity().max() > 1;
      call.append(' ').append(each.required() ? label(each) : "[" + label(each) + "]");
      call.append(repeated ? "..." : "");
    }
    spec.options().stream()
        .filter(each -> !each.inherited() && !each.hidden())
        .filter(each -> !each.usageHelp() && !each.versionHelp())
        .sorted(Comparator.comparing((OptionSpec each) -> !isRequired(each)))
        .forEach(each -> call.append(' ').append(option(each)));
    wrap("- `%s`: %s".formatted(call, sentence(spec)), lines);
  }

  private static String option(OptionSpec option) {
    boolean takesValue = option.arity().max() > 0;
    String text = option.longestName() + (takesValue ? "=" + label(option) : "");
    return isRequired(option) ? text : "[" + text + "]";
  }

  /** One of a group is required within it only. */
  private static boolean isRequired(OptionSpec option) {
    return option.required() && option.group() == null;
  }

  private static String label(ArgSpec argument) {
    return argument.paramLabel().replaceAll("[<>]", "").toUpperCase(Locale.ROOT);
  }

  /** The first sentence of the description. */
  private static String sentence(CommandSpec spec) {
    String text = String.join(" ", spec.usageMessage().description());
    String plain = Ansi.OFF.string(text);
    int end = plain.indexOf(". ");
    return end < 0 ? plain : plain.substring(0, end + 1);
  }

  private static void wrap(String text, List<String> lines) {
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (line.length() + word.length() >= WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(" ");
      }
      line.append(line.length() == 0 ? "" : " ").append(word);
    }
    lines.add(line.toString());
  }
}
