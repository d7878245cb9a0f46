/** Classes that the read and the write side of the client share. */
package io.deli.client.internal;
