import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const MEGABYTE = 1024
const MAX_ADDED_MEGABYTES = 200

/** A separate process, since peak memory never decreases. */
const PROGRAM = `
  const { parseSql } = await import(${JSON.stringify(new URL('parse.ts', import.meta.url).href)})
  const sql = 'select a, b, sum(c) from t join u using (a) where b > 1 and c in (1, 2, 3) group by a, b order by 3 limit 5'
  await parseSql(sql)
  const before = process.resourceUsage().maxRSS
  for (let round = 0; round < 5; round += 1) {
    for (let times = 0; times < 100; times += 1) await parseSql(sql)
    // The compiler works beside the program.
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  console.log(process.resourceUsage().maxRSS - before)
`

test('a parser that is used often takes no more memory than one that is used once', () => {
  const added = Number(execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], { encoding: 'utf8' }))
  expect(added / MEGABYTE).toBeLessThan(MAX_ADDED_MEGABYTES)
}, 60_000)
