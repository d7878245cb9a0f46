package io.deli.simulation;

class MemoryStoreContractTest extends StoreContract {
  @Override
  LogStructuredStore newStore() {
    return new MemoryStore();
  }
}
