import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { type Result, RESULTS_FOLDER } from '../report.ts'
import { type Failed, type Measured, makePage } from './page.ts'
import { MEASUREMENTS, type Measurement, getResultName } from './plan.ts'

const BENCH = join(import.meta.dirname, '../run.ts')
const PAGE_FOLDER = join(import.meta.dirname, '../../docs/benchmarks')
const FIGURES_FOLDER = join(PAGE_FOLDER, 'figures')

/** Every bench in turn and one page of all; `--only loads,workers` keeps the figures of the others, `--quick` is small. */
export async function run(args: string[]): Promise<void> {
  const isQuick = args.includes('--quick')
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1]?.split(',') : undefined
  const wantedMeasurements = MEASUREMENTS.filter(
    (measurement) => !only || only.includes(getResultName(measurement)) || only.includes(measurement.bench),
  )
  if (wantedMeasurements.length === 0)
    throw new Error(`--only takes some of ${MEASUREMENTS.map(getResultName).join(', ')}.`)
  if (!only) await rm(PAGE_FOLDER, { recursive: true, force: true })
  await mkdir(FIGURES_FOLDER, { recursive: true })
  const failed: Failed[] = []
  for (const measurement of wantedMeasurements) {
    const name = getResultName(measurement)
    console.log(`\n== ${name} ==`)
    const result = await measure(measurement, isQuick)
    await rm(toFile(name), { force: true })
    if ('why' in result) failed.push(result)
    else await writeFile(toFile(name), `${JSON.stringify(result, null, 2)}\n`)
    // After each: a run that is broken off leaves what it has measured.
    await writePage(failed)
  }
  console.log('\ndocs/benchmarks/README.md')
  if (failed.length > 0) process.exitCode = 1
}

const toFile = (name: string) => join(FIGURES_FOLDER, `${name}.json`)

async function writePage(failed: readonly Failed[]): Promise<void> {
  const results = await Promise.all(
    MEASUREMENTS.map((measurement) => readResult<Measured>(toFile(getResultName(measurement)))),
  )
  const { text, plots } = makePage(
    results.filter((other) => other !== null),
    failed,
  )
  await writeFile(join(PAGE_FOLDER, 'README.md'), text)
  for (const [name, plot] of plots) await writeFile(join(PAGE_FOLDER, name), plot)
}

async function readResult<Kind>(file: string): Promise<Kind | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as Kind)
}

async function measure(measurement: Measurement, isQuick: boolean): Promise<Measured | Failed> {
  const name = getResultName(measurement)
  if (measurement.needsChromium && !process.env['TRELLIS_CHROMIUM']) {
    return { name, why: 'it needs Chromium: set TRELLIS_CHROMIUM to its program' }
  }
  const file = join(RESULTS_FOLDER, `${name}.json`)
  await rm(file, { force: true })
  const [before = 0] = loadavg()
  const child = spawn(
    process.execPath,
    [BENCH, measurement.bench, ...(isQuick ? measurement.quick : (measurement.args ?? []))],
    {
      stdio: 'inherit',
      env: { ...process.env, BENCH_RESULT: name },
    },
  )
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  const [after = 0] = loadavg()
  if (code !== 0) return { name, why: `the bench ended with ${signal ?? code}` }
  const result = await readResult<Result>(file)
  if (result === null) return { name, why: 'the bench left no result' }
  return { ...result, revision: readRevision(), isQuick, load: [before, after] }
}

const readRevision = () =>
  execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: import.meta.dirname })
    .toString()
    .trim()
