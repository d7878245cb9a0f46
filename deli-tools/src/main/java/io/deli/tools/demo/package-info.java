/** What {@code deli demo} shows: indexes under updates, queries of every kind, collection. */
package io.deli.tools.demo;
