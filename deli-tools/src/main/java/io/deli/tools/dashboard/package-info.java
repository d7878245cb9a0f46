/** The read-only web page of {@code deli dashboard} and {@code deli standalone}. */
package io.deli.tools.dashboard;
