import * as z from 'zod/mini'

/**
 * A forma is a form described by the server: sections of elements, in order. Values are stored as
 * `values[section][element]`.
 */
const DATA_TYPES = ['int', 'float', 'str', 'bool', 'datetime', 'date_range', 'date', 'trellis_macro'] as const
export const MAX_DIMENSIONS = 9
export const FIRST_DIMENSION = 'date'

const Reference = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_]{0,59}$/))
const Option = z.object({ value: z.string(), label: z.string(), hint: z.optional(z.string()) })
/** Options that are loaded from the connected integration under this name. */
const OptionsFrom = z.optional(Reference)

/** Visible only while another element has one of these values. */
const ShownWhen = z.object({ section: Reference, element: Reference, values: z.array(z.string()) })

const common = {
  reference: Reference,
  order: z.int(),
  label: z.string(),
  help: z.optional(z.string()),
  data_type: z.enum(DATA_TYPES),
  is_optional: z.optional(z.boolean()),
  default: z.optional(z.unknown()),
  shown_when: z.optional(ShownWhen),
}
const textProperties = z.object({
  placeholder: z.optional(z.string()),
  pattern: z.optional(z.string()),
  pattern_message: z.optional(z.string()),
  min_length: z.optional(z.int()),
  max_length: z.optional(z.int()),
  is_multiline: z.optional(z.boolean()),
})
const choice = { options: z.array(Option), options_from: OptionsFrom, placeholder: z.optional(z.string()) }

export const FormaElement = z.discriminatedUnion('type', [
  z.object({ ...common, type: z.literal('text'), properties: textProperties }),
  z.object({ ...common, type: z.literal('secret'), properties: textProperties }),
  z.object({
    ...common,
    type: z.literal('number'),
    properties: z.object({
      min: z.optional(z.number()),
      max: z.optional(z.number()),
      is_integer: z.optional(z.boolean()),
      unit: z.optional(z.string()),
    }),
  }),
  z.object({ ...common, type: z.literal('select'), properties: z.object(choice) }),
  z.object({
    ...common,
    type: z.literal('multi_select'),
    properties: z.object({ ...choice, most: z.optional(z.int()) }),
  }),
  z.object({ ...common, type: z.literal('boolean'), properties: z.object({}) }),
  /** A schema, or a table in it, of the integration. */
  z.object({
    ...common,
    type: z.literal('table_picker'),
    properties: z.object({ picks: z.enum(['schema', 'table']) }),
  }),
  z.object({ ...common, type: z.literal('historic_date_range'), properties: z.object({}) }),
  z.object({ ...common, type: z.literal('dimensions'), properties: z.object({ ...choice, events: z.array(Option) }) }),
  z.object({ ...common, type: z.literal('goals'), properties: z.object({ ...choice, most: z.optional(z.int()) }) }),
  z.object({
    ...common,
    type: z.literal('query_editor'),
    properties: z.object({ language: z.enum(['gaql', 'sql', 'json']), placeholder: z.optional(z.string()) }),
  }),
  /** A text with `{{ name }}` placeholders that are replaced at run time. */
  z.object({
    ...common,
    type: z.literal('macro'),
    properties: z.object({ macros: z.array(Option), placeholder: z.optional(z.string()) }),
  }),
  /** A source built by the person with the REST builder. */
  z.object({ ...common, type: z.literal('rest_manifest'), properties: z.object({}) }),
  z.object({
    ...common,
    type: z.literal('oauth_link'),
    properties: z.object({ provider: z.string(), scopes: z.array(z.string()) }),
  }),
])
export type FormaElement = z.infer<typeof FormaElement>

export const FormaSection = z.object({
  reference: Reference,
  order: z.int(),
  title: z.string(),
  description: z.optional(z.string()),
  is_required: z.boolean(),
  elements: z.array(FormaElement),
})
export type FormaSection = z.infer<typeof FormaSection>

export const Forma = z.object({
  forma_trellis_code: z.string(),
  title: z.string(),
  sections: z.array(FormaSection),
})
export type Forma = z.infer<typeof Forma>

export const FormaValues = z.record(Reference, z.record(Reference, z.unknown()))
export type FormaValues = z.infer<typeof FormaValues>

/** Secrets that are stored, as `section.element`. Their values never leave the server. */
export const SecretsSet = z.array(z.string())
