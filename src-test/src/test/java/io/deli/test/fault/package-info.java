/** Things that go wrong between a client's engine and its tables. */
package io.deli.test.fault;
