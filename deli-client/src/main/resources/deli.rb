# Commands for indexes in HBase's shell, which needs deli-client and deli-core on its class path
# (HBASE_CLASSPATH):
#
#   hbase> require 'deli'
#   hbase> help 'deli'
#
# They are methods of the shell's receiver as its own commands are, and fail as those do. Their
# options are those of bin/deli.
require 'hbase_constants'

# The words of options, those that the shell has not.
%w[
  AFTER ALLOW_SCAN BEFORE BUILD CHECKSUM EQUAL FROM LEAVE_EXISTING_UNINDEXED MAINTENANCE OPTIONS
  ORDER PREFIX REGIONS REPAIR STRATEGY TO TOKENIZER
].each { |word| HBaseConstants.const_set(word, word) unless HBaseConstants.const_defined?(word) }

module Shell
  module Commands
    # What the commands share: the connection, and what people type.
    class DeliIndexCommand < Command
      CLIENT = Java::IoDeliClient
      INDEX = Java::IoDeliIndex

      # One for the life of the shell, whatever connection the shell's own commands have.
      def self.connection(shell)
        @@connection ||= CLIENT::DeliConnection.wrap(
          org.apache.hadoop.hbase.client.ConnectionFactory.createConnection(
            shell.hbase.configuration
          )
        )
      end

      private

      def indexed
        DeliIndexCommand.connection(@shell)
      end

      def indexes
        indexed.getDeliAdmin
      end

      def named(table)
        org.apache.hadoop.hbase.TableName.valueOf(table.to_s)
      end

      # Takes the options out of what was given; one that the command does not know is refused.
      def take(given, *known)
        options = given.map { |key, value| [key.to_s.upcase, value] }.to_h
        unknown = options.keys - known
        return options if unknown.empty?

        raise(ArgumentError, "unknown option #{unknown.first}: #{command_name} takes " +
                             known.join(', '))
      end

      def build(table, index)
        report = indexes.build(named(table), index, CLIENT::BuildOptions::DEFAULT, none)
        formatter.row("#{report.rows} rows, #{report.entries} entries, #{report.refused} refused")
      end

      def none
        CLIENT::ProgressListener::NONE
      end
    end

    class DeliCreateIndex < DeliIndexCommand
      def help
        <<~TEXT
          Create an index on a column; on a table with rows, say what becomes of them.

            hbase> deli_create_index 't', 'by_user', 'd:user'
            hbase> deli_create_index 't', 'by_age', 'd:age', TYPE => 'INT', BUILD => true
            hbase> deli_create_index 't', 'by_tag', 'd:tag', STRATEGY => 'lazy',
                     ORDER => 'BY_TIME', MAINTENANCE => 'SERVER', TOKENIZER => 'prefix',
                     OPTIONS => {'prefix.length' => 4}, LEAVE_EXISTING_UNINDEXED => true
        TEXT
      end

      def command(table, index, column, given = {})
        options = take(given, 'TYPE', 'TOKENIZER', 'STRATEGY', 'ORDER', 'MAINTENANCE', 'OPTIONS',
                       'BUILD', 'REGIONS', 'LEAVE_EXISTING_UNINDEXED')
        indexes.createIndex(named(table), definition(index, column, options), creation(options))
        building = indexes.describe(named(table), index).state == INDEX::IndexState::BUILDING
        build(table, index) if building
      end

      private

      def definition(index, column, options)
        made = INDEX::IndexDefinition.on(index, INDEX::Column.parse(column))
        made = made.withTokenizer(options['TOKENIZER']) if options['TOKENIZER']
        made = made.withStrategy(options['STRATEGY']) if options['STRATEGY']
        { 'TYPE' => [:withType, INDEX::ValueType], 'ORDER' => [:withOrder, INDEX::EntryOrder],
          'MAINTENANCE' => [:withMaintenance, INDEX::Maintenance] }.each do |key, (change, kind)|
          made = made.send(change, kind.valueOf(options[key].to_s.upcase)) if options[key]
        end
        (options['OPTIONS'] || {}).each { |key, value| made = made.withOption(key, value.to_s) }
        made
      end

      def creation(options)
        rows = CLIENT::ExistingRows::REFUSE
        rows = CLIENT::ExistingRows::LEAVE_UNINDEXED if options['LEAVE_EXISTING_UNINDEXED']
        rows = CLIENT::ExistingRows::BUILD if options['BUILD']
        CLIENT::CreateIndexOptions::DEFAULT
          .withExistingRows(rows).withRegions(options['REGIONS'] || 1)
      end
    end

    class DeliBuildIndex < DeliIndexCommand
      def help
        "Build an index, while its table is in use.\n\n  hbase> deli_build_index 't', 'by_user'"
      end

      def command(table, index)
        build(table, index)
      end
    end

    class DeliDropIndex < DeliIndexCommand
      def help
        "Drop an index and its table.\n\n  hbase> deli_drop_index 't', 'by_user'"
      end

      def command(table, index)
        indexes.dropIndex(named(table), index)
      end
    end

    class DeliDisableIndex < DeliIndexCommand
      def help
        "Stop the use and maintenance of an index.\n\n  hbase> deli_disable_index 't', 'by_user'"
      end

      def command(table, index)
        indexes.disable(named(table), index)
      end
    end

    class DeliIndexes < DeliIndexCommand
      def help
        "List the indexes of a table.\n\n  hbase> deli_indexes 't'"
      end

      def command(table)
        formatter.header(%w[INDEX COLUMN TYPE STRATEGY MAINTENANCE STATE])
        all = indexes.list(named(table))
        all.each do |each|
          formatter.row([each.name, each.column, each.type, each.strategy, each.maintenance,
                         each.state].map(&:to_s))
        end
        formatter.footer(all.size)
        all.map(&:name)
      end
    end

    class DeliQuery < DeliIndexCommand
      def help
        <<~TEXT
          Find rows by value: EQUAL, PREFIX, or FROM or AFTER with or without TO or BEFORE.

            hbase> deli_query 't', 'by_user', EQUAL => 'alice', LIMIT => 10
            hbase> deli_query 't', 'by_age', FROM => 18, BEFORE => 65, REVERSED => true
            hbase> deli_query 't', 'by_user', PREFIX => 'al', COLUMNS => ['d:text'],
                     VERSIONS => 3, ALLOW_SCAN => true
        TEXT
      end

      def command(table, index, given = {})
        options = take(given, 'EQUAL', 'PREFIX', 'FROM', 'AFTER', 'TO', 'BEFORE', 'LIMIT',
                       'REVERSED', 'VERSIONS', 'COLUMNS', 'ALLOW_SCAN')
        type = indexes.describe(named(table), index).type
        query = applied(matching(CLIENT::ValueQuery.on(index), type, options), options)
        print_hits(named(table), query, type)
      end

      private

      def matching(target, type, options)
        asked = options.keys & %w[EQUAL PREFIX FROM AFTER TO BEFORE]
        values = asked.map { |key| [key, encoded(type, options[key])] }.to_h
        low = values['FROM'] || values['AFTER']
        high = values['TO'] || values['BEFORE']
        case asked.sort
        when %w[EQUAL] then target.equalTo(values['EQUAL'])
        when %w[PREFIX] then target.prefix(options['PREFIX'].to_s.to_java_bytes)
        when %w[FROM] then target.atLeast(low)
        when %w[AFTER] then target.greaterThan(low)
        when %w[TO] then target.atMost(high)
        when %w[BEFORE] then target.lessThan(high)
        when %w[FROM TO], %w[BEFORE FROM], %w[AFTER TO], %w[AFTER BEFORE]
          target.between(low, values.key?('FROM'), high, values.key?('TO'))
        else raise(ArgumentError, 'give EQUAL, PREFIX, or FROM or AFTER, and TO or BEFORE')
        end
      end

      # As the shell's own commands take bytes: "\x00" is Ruby's.
      def encoded(type, value)
        bytes = [INDEX::ValueType::STRING, INDEX::ValueType::BYTES].include?(type)
        bytes ? value.to_s.to_java_bytes : type.parse(value.to_s)
      end

      def applied(query, options)
        query = query.limit(options['LIMIT']) if options['LIMIT']
        query = query.versions(options['VERSIONS']) if options['VERSIONS']
        query = query.reversed if options['REVERSED']
        query = query.allowScan if options['ALLOW_SCAN']
        columns = [options['COLUMNS'] || []].flatten.map { |name| INDEX::Column.parse(name) }
        query.project(columns.to_java(INDEX::Column))
      end

      def print_hits(table, query, type)
        formatter.header(%w[ROW HIT])
        count = 0
        rows = indexed.getTable(table)
        hits = rows.readValue(query)
        hits.each do |hit|
          formatter.row([text(hit.row), "timestamp=#{hit.timestamp}, value=" +
                                        shown(type, hit.value) + projected(query, hit)])
          count += 1
        end
        formatter.footer(count)
        count
      ensure
        hits&.close
        rows&.close
      end

      def projected(query, hit)
        query.options.projection.map do |column|
          value = hit.projected.getValue(column.family, column.qualifier)
          ", #{column}=#{value.nil? ? '' : text(value)}"
        end.join
      end

      def shown(type, value)
        type == INDEX::ValueType::STRING ? text(value) : type.format(value)
      end

      def text(bytes)
        org.apache.hadoop.hbase.util.Bytes.toStringBinary(bytes)
      end
    end

    class DeliVerify < DeliIndexCommand
      def help
        <<~TEXT
          Compare an index with its table, while both are in use; fails if lookups would miss rows.

            hbase> deli_verify 't', 'by_user'
            hbase> deli_verify 't', 'by_user', CHECKSUM => true, REPAIR => true
        TEXT
      end

      def command(table, index, given = {})
        options = take(given, 'REPAIR', 'CHECKSUM')
        chosen = CLIENT::VerifyOptions::DEFAULT
        chosen = chosen.withRepair if options['REPAIR']
        chosen = chosen.withSums if options['CHECKSUM']
        report = indexes.verify(named(table), index, chosen, none)
        formatter.header(%w[FINDING COUNT])
        formatter.row(['versions', report.versions.to_s])
        formatter.row(['entries', report.entries.to_s])
        report.found.each { |kind, count| formatter.row([kind.to_s.downcase, count.to_s]) }
        return if report.isClean

        raise("index #{index} of #{table} is damaged: lookups miss rows or give wrong ones. " +
              (options['REPAIR'] ? 'Verify it again.' : 'REPAIR => true mends it.'))
      end
    end

    class DeliCollect < DeliIndexCommand
      def help
        "Collect the garbage of a table's indexes, and wait for it.\n\n  hbase> deli_collect 't'"
      end

      def command(table)
        report = indexes.collect(named(table), none)
        return if report.isComplete

        raise("#{report.left.size} regions of #{table} were not compacted, and " \
              "#{report.kept.size} kept versions. Collect again.")
      end
    end
  end

  DELI_COMMANDS = %w[
    deli_create_index deli_build_index deli_drop_index deli_disable_index deli_indexes deli_query
    deli_verify deli_collect
  ].freeze
  command_groups['deli'] = {
    commands: DELI_COMMANDS, command_names: DELI_COMMANDS, full_name: 'INDEXES (DELI)'
  }
  DELI_COMMANDS.each do |name|
    commands[name] = Commands.const_get(name.split('_').map(&:capitalize).join)
    # The shell exports its own to its receiver when it starts, before anybody can load this.
    HBaseReceiver.send(:define_method, name) do |*args|
      result = @shell.command(name, *args)
      puts
      result
    end
  end
end
