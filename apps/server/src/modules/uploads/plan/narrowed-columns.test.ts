import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import { profileFile } from '@trellis/table-files/profile/profile-file'
import { bufferSource } from '@trellis/table-files/read/byte-source'
import { expect, test } from 'vitest'
import { listNarrowingWarnings } from './narrowed-columns.ts'

type Type = FileProfile['columns'][number]['fitting_types'][number]

function warn(typeName: Type, type: string, longest = 10): string[] {
  const column = { header: 'v', fitting_types: [typeName], empty_values: 0, longest, is_grouped: false }
  const plan = { name: 'v', header: 'v', source: 0, kind: 'other' as const, type }
  return listNarrowingWarnings([plan], { columns: [column] } as unknown as FileProfile)
}

test.each([
  ['timestamp', 'date', /Only the day is kept/],
  ['timestamptz', 'date', /Only the day is kept/],
  ['timestamptz', 'timestamp', /without their zone/],
  ['timestamptz', 'timestamp(3) without time zone', /without their zone/],
  ['timestamp', 'time without time zone', /Only the time of day is kept/],
  ['decimal', 'numeric(10,2)', /more than 2 decimals are rounded/],
  ['float', 'numeric(8,0)', /are rounded to whole ones/],
  ['decimal', 'real', /more than 7 digits/],
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

const toColumnPlan = (type: string) => ({ name: 'v', header: 'v', source: 0, kind: 'number' as const, type })

/** The odd value comes after the sampled part. */
async function warnFile(usual: string, odd: string, type: string): Promise<string[]> {
  const rows = Array.from({ length: 5000 }, (_, at) => `${usual};${at}`)
  rows[4000] = `${odd};4000`
  return listNarrowingWarnings(
    [toColumnPlan(type)],
    await profileFile(bufferSource(Buffer.from(`v;n\n${rows.join('\n')}\n`))),
  )
}

test.each([
  ['12.50', '7.125', 'numeric(10,2)', 'more than 2 decimals, such as 7.125, are'],
  ['12,50', '1.234,567', 'numeric(10,2)', 'more than 2 decimals, such as 1.234,567, are'],
  ['12,50', '"7,125"', 'numeric(10,2)', 'more than 2 decimals, such as 7,125, are'],
  ['$12.50', '$7.125', 'numeric(10,2)', 'more than 2 decimals, such as $7.125, are'],
  ['12.5', '1.5e-7', 'numeric(12,6)', 'more than 6 decimals, such as 1.5e-7, are'],
  ['12', '12.5', 'numeric(12,0)', 'decimals, such as 12.5, are rounded to whole ones'],
  ['12', '13', 'numeric(12,-2)', 'multiples of 100'],
  ['12.5', '123456.789', 'real', 'more than 7 digits, such as 123456.789, can'],
  ['12', '16777217', 'real', 'more than 7 digits, such as 16777217, can'],
  ['0.5', '0.0009765629', 'real', 'more than 6 digits, such as 0.0009765629, can'],
  ['12.5', '0.12345678901234567', 'double precision', 'more than 15 digits, such as 0.12345678901234567, are'],
  ['12.5', '9007199254740993', 'double precision', 'more than 15 digits, such as 9007199254740993, are'],
])('%s and one %s into %s is told with it', async (...[usual, odd, type, sentence]) => {
  expect(await warnFile(usual, odd, type)).toEqual([expect.stringContaining(sentence)])
})

test.each([
  ['12.50', '123456.75', 'numeric(10,2)'],
  ['12.5', '7.12500000', 'numeric(10,3)'],
  ['12,50', '1.234,56', 'numeric(10,2)'],
  ['1.234', '2.000,5', 'numeric(10,1)'],
  ['$12.50', '$1,234.5', 'numeric(10,2)'],
  ['12.5', '1.25e+3', 'numeric(12,1)'],
  ['12', '123456789012', 'numeric(12,0)'],
  ['12.5', '12345.67', 'real'],
  ['0.5', '-1234567', 'real'],
  ['12.5', '0.30000000000000004', 'double precision'],
  ['12.5', '100000000000000000.5', 'text'],
])('%s and one %s into %s loses nothing', async (usual, odd, type) => {
  expect(await warnFile(usual, odd, type)).toEqual([])
})
