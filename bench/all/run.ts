import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { RESULTS_FOLDER } from '../report.ts'
import { type Failed, type Measured, makePage } from './page.ts'
import { MEASUREMENTS, type Measurement, getResultName } from './plan.ts'

const BENCH = join(import.meta.dirname, '../run.ts')
const PAGE_FOLDER = join(import.meta.dirname, '../../docs/benchmarks')

/** Every bench in turn and one page of all; `--quick` with small sizes, `--only loads,workers` a part of them. */
export async function run(args: string[]): Promise<void> {
  const isQuick = args.includes('--quick')
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1]?.split(',') : undefined
  const wanted = MEASUREMENTS.filter((one) => !only || only.includes(getResultName(one)) || only.includes(one.bench))
  if (wanted.length === 0) throw new Error(`--only takes some of ${MEASUREMENTS.map(getResultName).join(', ')}.`)
  const results: Measured[] = []
  const failed: Failed[] = []
  for (const one of wanted) {
    console.log(`\n== ${getResultName(one)} ==`)
    const result = await measure(one, isQuick)
    if ('why' in result) failed.push(result)
    else results.push(result)
  }
  const revision = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: import.meta.dirname })
    .toString()
    .trim()
  const { text, plots } = makePage(results, { isQuick, revision, failed })
  await rm(PAGE_FOLDER, { recursive: true, force: true })
  await mkdir(PAGE_FOLDER, { recursive: true })
  await writeFile(join(PAGE_FOLDER, 'README.md'), text)
  for (const [name, plot] of plots) await writeFile(join(PAGE_FOLDER, name), plot)
  console.log('\ndocs/benchmarks/README.md')
  if (failed.length > 0) process.exitCode = 1
}

async function measure(one: Measurement, isQuick: boolean): Promise<Measured | Failed> {
  const name = getResultName(one)
  if (one.needsChromium && !process.env['TRELLIS_CHROMIUM']) {
    return { name, why: 'it needs Chromium: set TRELLIS_CHROMIUM to its program' }
  }
  const file = join(RESULTS_FOLDER, `${name}.json`)
  await rm(file, { force: true })
  const [before = 0] = loadavg()
  const child = spawn(process.execPath, [BENCH, one.bench, ...(isQuick ? one.quick : (one.args ?? []))], {
    stdio: 'inherit',
    env: { ...process.env, BENCH_RESULT: name },
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  const [after = 0] = loadavg()
  if (code !== 0) return { name, why: `the bench ended with ${signal ?? code}` }
  try {
    return { ...(JSON.parse(await readFile(file, 'utf8')) as Measured), load: [before, after] }
  } catch {
    return { name, why: 'the bench left no result' }
  }
}
