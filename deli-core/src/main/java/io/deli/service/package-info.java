/**
 * The coprocessor endpoint of a region with indexes, and the attributes and errors that clients and
 * region servers exchange.
 *
 * <pre>
 * message Nothing { optional int32 version = 1; }
 * message Table {
 *   required bytes descriptor = 1;
 *   optional int32 version = 2;
 * }
 * message Suspect {
 *   required string index = 1;
 *   required bytes token = 2;
 *   required bytes key = 3;
 *   required int64 timestamp = 4;
 *   required bytes write_id = 5;
 *   optional int32 version = 6;
 * }
 * message Versions {
 *   required int64 count = 1;
 *   optional int32 version = 2;
 *   repeated int64 compacted = 3;
 * }
 * message Entry {
 *   required bytes token = 1;
 *   required bytes key = 2;
 *   required int64 timestamp = 3;
 *   required bytes write_id = 4;
 * }
 * message Entries {
 *   required string index = 1;
 *   repeated Entry entry = 2;
 *   required int32 generation = 3;
 *   optional int32 version = 4;
 * }
 * message Positions {
 *   repeated int32 position = 1;
 *   optional int32 version = 2;
 * }
 * message Rows {
 *   required bytes start = 1;
 *   required bytes stop = 2;
 *   required bytes cells = 3;
 * }
 * message ServerScan {
 *   required bytes scan = 1;
 *   required int32 limit = 2;
 *   repeated Rows range = 3;
 * }
 * message ServerScans {
 *   repeated ServerScan scan = 1;
 *   optional int32 version = 2;
 * }
 * message Found {
 *   repeated Rows rows = 1;
 * }
 * message FoundRows {
 *   repeated Found found = 1;
 *   required int64 nanos = 2;
 *   optional int32 version = 3;
 * }
 * message ColocatedWrite {
 *   required bytes entries = 1;
 *   required bytes entry_cells = 2;
 *   required bytes rows = 3;
 *   required bytes row_cells = 4;
 *   optional int32 version = 5;
 * }
 * message WrittenRows {
 *   required bytes done = 1;
 *   optional int32 version = 2;
 * }
 * service DeliRegionService {
 *   rpc Describe(Nothing) returns (Table);
 *   rpc Repair(Suspect) returns (Nothing);
 *   rpc Kept(Nothing) returns (Versions);
 *   rpc Sweep(Entries) returns (Positions);
 *   rpc Stale(Entries) returns (Positions);
 *   rpc Scan(ServerScans) returns (FoundRows);
 *   rpc Write(ColocatedWrite) returns (WrittenRows);
 *   rpc Present(Nothing) returns (Versions);
 * }
 * </pre>
 *
 * A message says which version of these rules it follows; one that does not follows the first. Who
 * knows another refuses it.
 *
 * <p>HBase calls endpoints through protobuf 2.5; the messages are built at run time, so that no
 * generated code has to agree with the protobuf of the class path it lands on.
 */
package io.deli.service;
