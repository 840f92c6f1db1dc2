import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

export interface Figure {
  what: string
  value: number
  unit: string
  limit?: { value: number; isAtMost: boolean }
  peer?: string
}

export interface Result {
  readonly name: string
  readonly at: string
  readonly machine: { readonly cpus: number; readonly model?: string; readonly memory: number; readonly node: string }
  readonly figures: readonly Figure[]
}

export const RESULTS_FOLDER = join(import.meta.dirname, 'results')

export const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

export async function report(bench: string, figures: Figure[]): Promise<void> {
  const name = process.env['BENCH_RESULT'] ?? bench
  const rows = figures.map((figure) => [
    figure.what,
    `${round(figure.value)} ${figure.unit}`,
    limitText(figure),
    verdict(figure),
  ])
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  await mkdir(RESULTS_FOLDER, { recursive: true })
  const [cpu] = cpus()
  const machine = { cpus: cpus().length, ...(cpu && { model: cpu.model }), memory: totalmem(), node: process.version }
  const result: Result = { name, at: new Date().toISOString(), machine, figures }
  await writeFile(join(RESULTS_FOLDER, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`)
  console.log(`\nbench/results/${name}.json`)
}

function limitText({ limit, peer, unit }: Figure): string {
  if (!limit) return peer ? `peer: ${peer}` : ''
  return `${limit.isAtMost ? '≤' : '≥'} ${limit.value} ${unit}`
}

export const isHeld = ({ limit, value }: Figure) =>
  !limit || (limit.isAtMost ? value <= limit.value : value >= limit.value)

function verdict(figure: Figure): string {
  if (!figure.limit) return ''
  return isHeld(figure) ? 'holds' : 'MISSED'
}

export const round = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2))
