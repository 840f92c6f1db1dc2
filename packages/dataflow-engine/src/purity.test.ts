import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SOURCE = import.meta.dirname
const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
)

test('reads no clock, chance, environment or outside: all of it is given', () => {
  expect(files.length).toBeGreaterThan(20)
  const impure =
    /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.\w|\bset(?:Timeout|Interval|Immediate)\b|\bfetch\(|\bcrypto\.\w|\bTemporal\.Now\b|from '(?!\.\.?\/|@trellis\/contract\/|temporal-polyfill'|yaml'|zod\/mini')/
  for (const name of files) expect(readFileSync(join(SOURCE, name), 'utf8'), name).not.toMatch(impure)
})
