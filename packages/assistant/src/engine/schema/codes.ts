import type { Column } from './model.ts'

const MAX_CODES_LENGTH = 1000

const CODE = /(?<![\p{L}\p{N}])([\p{L}\p{N}_-]{1,12})\s*(?:=|:|→|->)\s*([\p{L}][\p{L}\p{N} _-]{1,40})/gu

/** Reads a column comment such as "P = passed, F = failed". */
export function parseCodesFromComment({
  comment,
  values,
}: Column): { readonly value: string; readonly meaning: string }[] {
  return [...(comment ?? '').slice(0, MAX_CODES_LENGTH).matchAll(CODE)].flatMap(([, value = '', meaning = '']) =>
    values.includes(value) ? [{ value, meaning: meaning.trim() }] : [],
  )
}
