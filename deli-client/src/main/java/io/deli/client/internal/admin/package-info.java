/** Index DDL, garbage collection on request, and statistics. */
package io.deli.client.internal.admin;
