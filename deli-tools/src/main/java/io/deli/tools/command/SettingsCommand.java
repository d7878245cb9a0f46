package io.deli.tools.command;

import io.deli.config.DeliSettings;
import io.deli.config.Setting;
import io.deli.tools.RootCommand;
import io.deli.tools.output.RowWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code deli settings}. */
@Command(
    name = "settings",
    description = "List every key that DELI reads, with its default and meaning. Needs no HBase.")
public final class SettingsCommand implements Callable<Integer> {
  private static final List<String> COLUMNS = List.of("key", "default", "meaning");

  @ParentCommand private RootCommand deli;

  @Mixin private FormatOption format;

  @Option(
      names = "--site",
      description = "Print them as a deli-site.xml with all defaults, to be edited.")
  private boolean site;

  @Override
  public Integer call() throws Exception {
    if (site) {
      deli.terminal().print(xml(DeliSettings.all()).strip());
      return 0;
    }
    RowWriter rows = format.writer(deli, "settings", COLUMNS);
    for (Setting<?> setting : DeliSettings.all()) {
      rows.row(List.of(setting.key(), setting.fallbackText(), setting.meaning()));
    }
    rows.end(Map.of());
    return 0;
  }

  private static String xml(List<Setting<?>> settings)
      throws ParserConfigurationException, TransformerException {
    Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
    document.setXmlStandalone(true);
    Element root = document.createElement("configuration");
    document.appendChild(root);
    for (Setting<?> setting : settings) {
      Element property = child(root, "property");
      child(property, "name").setTextContent(setting.key());
      child(property, "value").setTextContent(setting.fallbackText());
      child(property, "description").setTextContent(setting.meaning());
    }
    Transformer writer = TransformerFactory.newInstance().newTransformer();
    writer.setOutputProperty(OutputKeys.INDENT, "yes");
    writer.setOutputProperty("{http://xml.apache.org/xslt}indent-amount", "2");
    StringWriter text = new StringWriter();
    writer.transform(new DOMSource(document), new StreamResult(text));
    return text.toString();
  }

  private static Element child(Element parent, String name) {
    Element child = parent.getOwnerDocument().createElement(name);
    parent.appendChild(child);
    return child;
  }
}
