import * as z from 'zod/mini'
import { visibleName, visibleText } from '../core/visible-text.ts'
import { COLUMN_TYPE_NAMES } from '../explorer/column-types.ts'

/**
 * A REST source as data, run by one engine whether built in or made in the browser. Texts may contain `{{ expression
 * }}`; expressions are validated before a request is sent.
 */
const Text = z.string().check(z.maxLength(4000))
const Short = z.string().check(z.maxLength(200))
const Title = z.string().check(z.maxLength(200), visibleName)
const Texts = z.record(z.string().check(z.maxLength(200)), Text)
/** Dots and `[]`, as in `data.items[].id`; empty is the whole response. */
const Path = z.string().check(z.maxLength(300), z.regex(/^$|^[\w$@-]+(\[\]|\[\d+\])?(\.[\w$@-]+(\[\]|\[\d+\])?)*$/))
const StreamName = z.string().check(z.regex(/^[a-z][a-z0-9_]{0,59}$/))

export const RestAuth = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  z.object({ type: z.literal('bearer'), token: Text }),
  z.object({ type: z.literal('basic'), username: Text, password: Text }),
  z.object({ type: z.literal('api_key'), in: z.enum(['header', 'query']), name: Title, value: Text }),
  /** The token from OAuth consent, refreshed automatically. */
  z.object({ type: z.literal('oauth') }),
])

export const RestRequest = z.object({
  method: z.optional(z.enum(['GET', 'POST'])),
  path: Text,
  query: z.optional(Texts),
  headers: z.optional(Texts),
  body: z.optional(z.unknown()),
})

export const RestPaginator = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  z.object({
    type: z.literal('page'),
    parameter: Short,
    first: z.optional(z.int()),
    size_parameter: z.optional(Short),
    size: z.int().check(z.minimum(1)),
  }),
  z.object({
    type: z.literal('offset'),
    parameter: Short,
    size_parameter: z.optional(Short),
    size: z.int().check(z.minimum(1)),
  }),
  z.object({
    type: z.literal('cursor'),
    /** Path of the next token in the response, or `last_record.<field>`. */
    token: Path,
    parameter: Short,
    in: z.optional(z.enum(['query', 'body'])),
    /** A field of the response that says there are more pages; by default a token says so. */
    has_more: z.optional(Path),
    size_parameter: z.optional(Short),
    size: z.optional(z.int()),
  }),
  z.object({ type: z.literal('next_url'), url: Path }),
  z.object({ type: z.literal('link_header') }),
])

export const RestCursor = z.object({
  field: Short,
  kind: z.enum(['date', 'datetime', 'number']),
  format: z.enum(['iso', 'date', 'unix', 'unix_ms', 'number']),
  /** Request parameters for the window's start and end; expressions may use `window.start` and `window.end` instead. */
  start_parameter: z.optional(Short),
  end_parameter: z.optional(Short),
  /** Start of the first read; an expression. */
  start: z.optional(Text),
  step_days: z.optional(z.int().check(z.minimum(1))),
  /** Days that are read again on each run, because late figures are restated. */
  lookback_days: z.optional(z.int().check(z.minimum(0))),
})

export const RestPartition = z.discriminatedUnion('type', [
  z.object({ type: z.literal('list'), values: z.array(Text).check(z.minLength(1), z.maxLength(1000)) }),
  z.object({ type: z.literal('parent'), stream: StreamName, field: Short }),
])

export const RestReport = z.object({
  create: RestRequest,
  id: Path,
  poll: RestRequest,
  status: Path,
  done: z.array(Short),
  failed: z.array(Short),
  every_seconds: z.optional(z.number().check(z.minimum(0))),
  most_minutes: z.optional(z.number()),
})

export const RestErrorRule = z.object({
  status: z.optional(z.array(z.int())),
  contains: z.optional(Short),
  kind: z.enum(['configuration', 'transient', 'rate_limited', 'system', 'ignore', 'refresh_token']),
  message: z.optional(Text.check(visibleText)),
  advice: z.optional(Text),
  retry_after_header: z.optional(Short),
})

const RestField = z.object({
  name: z.string().check(z.maxLength(200), visibleName),
  type: z.enum(COLUMN_TYPE_NAMES),
  path: z.optional(Path),
})

export const RestStream = z.object({
  name: StreamName,
  title: z.optional(Title),
  request: RestRequest,
  records: Path,
  paginate: z.optional(RestPaginator),
  partition: z.optional(RestPartition),
  cursor: z.optional(RestCursor),
  report: z.optional(RestReport),
  /** Requests with more fields are split and the responses joined by key. */
  chunk_fields: z.optional(z.object({ parameter: Short, most: z.int().check(z.minimum(1)), fields: z.array(Short) })),
  key: z.optional(z.array(Short)),
  /** Inferred from the records when omitted. */
  fields: z.optional(z.array(RestField)),
})
export type RestStream = z.infer<typeof RestStream>

/** What the manifest asks of the person, as `config.<reference>` in expressions. */
const RestInput = z.object({
  reference: z.string().check(z.regex(/^[a-z][a-z0-9_]{0,59}$/)),
  label: Title,
  is_secret: z.boolean(),
})

export const RestManifest = z.object({
  version: z.literal(1),
  base_url: Text,
  inputs: z.array(RestInput).check(z.maxLength(20)),
  auth: RestAuth,
  headers: z.optional(Texts),
  budget: z.optional(z.object({ requests: z.int().check(z.minimum(1)), seconds: z.number().check(z.minimum(0.001)) })),
  errors: z.optional(z.array(RestErrorRule).check(z.maxLength(50))),
  streams: z.array(RestStream).check(z.minLength(1), z.maxLength(100)),
})
export type RestManifest = z.infer<typeof RestManifest>
export type RestAuth = z.infer<typeof RestAuth>
export type RestRequest = z.infer<typeof RestRequest>
export type RestPaginator = z.infer<typeof RestPaginator>
export type RestCursor = z.infer<typeof RestCursor>
export type RestPartition = z.infer<typeof RestPartition>
export type RestReport = z.infer<typeof RestReport>
export type RestErrorRule = z.infer<typeof RestErrorRule>
