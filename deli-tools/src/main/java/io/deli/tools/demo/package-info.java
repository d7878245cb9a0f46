/** Shows, for {@code deli demo}, indexes under updates, queries of every kind, collection. */
package io.deli.tools.demo;
