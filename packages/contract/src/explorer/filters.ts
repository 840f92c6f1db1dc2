import * as z from 'zod/mini'
import { ObjectName } from './names.ts'

/** `is null` and `is not null` take no value; `in` takes one per line. */
const FILTER_OPERATORS = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'contains',
  'starts_with',
  'in',
  'is_null',
  'is_not_null',
] as const

export const Filter = z.object({
  column: ObjectName,
  operator: z.enum(FILTER_OPERATORS),
  value: z.optional(z.string().check(z.maxLength(10_000))),
})
export type Filter = z.infer<typeof Filter>

export const MAX_FILTERS = 20

/** In the URL as a JSON list, joined by AND. */
export const FilterList = z.pipe(
  z.string().check(z.maxLength(60_000)),
  z.transform((text, ctx) => {
    try {
      return z.parse(z.array(Filter).check(z.maxLength(MAX_FILTERS)), JSON.parse(text))
    } catch {
      ctx.issues.push({ code: 'custom', message: 'This is not a list of filters.', input: text })
      return z.NEVER
    }
  }),
)
