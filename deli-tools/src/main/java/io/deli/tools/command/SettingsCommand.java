package io.deli.tools.command;

import io.deli.config.Setting;
import io.deli.strategy.Strategies;
import io.deli.tools.Failure;
import io.deli.tools.Subcommand;
import io.deli.tools.output.RowWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "settings",
    description = "List every key that DELI reads, with its default and meaning. Needs no HBase.")
public final class SettingsCommand extends Subcommand {
  private static final List<String> COLUMNS = List.of("key", "default", "meaning");

  @Mixin private FormatOption format;

  @Option(
      names = "--site",
      description = "Print them as a deli-site.xml with all defaults, to be edited.")
  private boolean site;

  @Override
  public Integer call() {
    deli.refuse("settings", "--zookeeper", "--conf", "--data");
    Failure.ifBoth("--site", site, "--format", format.given());
    if (site) {
      deli.refuse("settings --site", "--json");
      deli.terminal().print(xml(Strategies.settings()));
      return 0;
    }
    RowWriter rows = format.writer(deli, "settings", COLUMNS);
    for (Setting<?> setting : Strategies.settings()) {
      rows.row(List.of(setting.key(), setting.fallbackText(), setting.meaning()));
    }
    rows.end(Map.of());
    return 0;
  }

  private static String xml(List<Setting<?>> settings) {
    StringBuilder xml =
        new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?><configuration>\n");
    for (Setting<?> setting : settings) {
      xml.append("  <property>\n");
      xml.append(element("name", setting.key()));
      xml.append(element("value", setting.fallbackText()));
      xml.append(element("description", setting.meaning()));
      xml.append("  </property>\n");
    }
    return xml.append("</configuration>").toString();
  }

  private static String element(String name, String text) {
    String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    String form = text.isEmpty() ? "    <%1$s/>\n" : "    <%1$s>%2$s</%1$s>\n";
    return form.formatted(name, escaped);
  }
}
