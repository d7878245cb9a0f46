/** Random histories of one client against an in-memory model of HBase. */
package io.deli.test.model;
