package com.fasterxml.jackson.datatype.jsr310;

import com.fasterxml.jackson.databind.module.SimpleModule;

/** In place of a library for dates of another kind than the client has. */
public class JavaTimeModule extends SimpleModule {}
