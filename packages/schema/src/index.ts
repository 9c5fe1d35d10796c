export {
  type ArgumentOptions,
  type ArgumentSchema,
  publishedArguments,
  readArguments,
} from './arguments.ts';
export { readInstant, STRING_FORMATS, type StringFormat } from './formats.ts';
export type { FieldsOf, FromSchema, JsonSchema } from './types.ts';
export {
  AJV_OPTIONS,
  type CompiledCheck,
  createFaultFinder,
  createValidator,
  type Fault,
  faultFinderOf,
  type SchemaExtensions,
  type Validator,
} from './validator.ts';
