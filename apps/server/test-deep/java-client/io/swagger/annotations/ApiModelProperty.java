package io.swagger.annotations;

/** In place of a library that only documents. */
public @interface ApiModelProperty {
  boolean required() default false;

  String value() default "";

  String example() default "";
}
