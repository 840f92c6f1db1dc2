import * as z from 'zod/mini'
import { ResultColumn } from '../sql/sql.schemas.ts'
import { SparkContent } from './spark-content.schemas.ts'

/**
 * Messages between the page and a spark's frame. The frame runs untrusted code: messages that don't match are dropped.
 */
export const ParameterValues = z.record(z.string(), z.nullable(z.string().check(z.maxLength(1000))))
export type ParameterValues = z.infer<typeof ParameterValues>

/** Without roles, costs and other sources. */
export const FrameRows = z.object({
  columns: z.array(ResultColumn),
  rows: z.array(z.array(z.nullable(z.string()))),
  is_cut: z.boolean(),
  queried_at: z.string(),
  stale_since: z.nullable(z.string()),
})
export type FrameRows = z.infer<typeof FrameRows>

export const FrameTheme = z.object({
  mode: z.enum(['light', 'dark']),
  tokens: z.record(z.string(), z.string()),
  locale: z.string(),
})
export type FrameTheme = z.infer<typeof FrameTheme>

export const HostMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('start'),
    content: SparkContent,
    parameters: ParameterValues,
    theme: FrameTheme,
    /** In an exported file: parameters are fixed to the exported rows. */
    is_frozen: z._default(z.boolean(), false),
  }),
  z.object({ kind: z.literal('theme'), theme: FrameTheme }),
  z.object({ kind: z.literal('parameters'), parameters: ParameterValues }),
  z.object({ kind: z.literal('rows'), request: z.int(), rows: FrameRows }),
  z.object({ kind: z.literal('problem'), request: z.int(), message: z.string() }),
  z.object({ kind: z.literal('refresh') }),
  /** Answered with `pong`; a frame that doesn't answer hangs. */
  z.object({ kind: z.literal('ping') }),
])
export type HostMessage = z.infer<typeof HostMessage>

export const FrameMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('pong') }),
  z.object({
    kind: z.literal('read'),
    request: z.int(),
    source: z.string().check(z.maxLength(40)),
    parameters: ParameterValues,
  }),
  /** Written to the page's URL, so that a view can be shared. */
  z.object({ kind: z.literal('parameters'), parameters: ParameterValues }),
  z.object({ kind: z.literal('height'), pixels: z.int().check(z.minimum(0), z.maximum(50_000)) }),
  z.object({ kind: z.literal('failed'), message: z.string().check(z.maxLength(2000)) }),
])
export type FrameMessage = z.infer<typeof FrameMessage>
