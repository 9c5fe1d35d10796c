package io.swagger.annotations;

/** In place of a library that only documents. */
public @interface ApiModel {
  String description() default "";
}
