import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import { expect, test } from 'vitest'
import { warnNarrowed } from './narrowed-columns.ts'

type Type = FileProfile['columns'][number]['fitting_types'][number]

function warn(found: Type, type: string, longest = 10): string[] {
  const column = { header: 'v', fitting_types: [found], empty_values: 0, longest, is_grouped: false }
  const plan = { name: 'v', header: 'v', source: 0, kind: 'other' as const, type }
  return warnNarrowed([plan], { columns: [column] } as unknown as FileProfile)
}

test.each([
  ['timestamp', 'date', /Only the day is kept/],
  ['timestamptz', 'date', /Only the day is kept/],
  ['timestamptz', 'timestamp', /without their zone/],
  ['timestamptz', 'timestamp(3) without time zone', /without their zone/],
  ['timestamp', 'time without time zone', /Only the time of day is kept/],
  ['decimal', 'numeric(10,2)', /more than 2 decimals are rounded/],
  ['float', 'numeric(8,0)', /rounded to whole ones/],
  ['decimal', 'real', /more than 6 digits/],
] as const)('%s into %s is told', (found, type, sentence) => {
  expect(warn(found, type)).toEqual([expect.stringMatching(sentence)])
})

test.each([
  ['date', 'date'],
  ['date', 'timestamp'],
  ['timestamp', 'timestamp'],
  ['timestamp', 'timestamp with time zone'],
  ['timestamptz', 'timestamptz'],
  ['timestamptz', 'timestamp with time zone'],
  ['timestamptz', 'text'],
  ['time', 'time without time zone'],
  ['integer', 'numeric(10,2)'],
  ['decimal', 'numeric'],
  ['decimal', 'double precision'],
] as const)('%s into %s loses nothing', (found, type) => {
  expect(warn(found, type)).toEqual([])
})
