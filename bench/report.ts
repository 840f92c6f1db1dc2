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

export const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

export async function report(name: string, figures: Figure[]): Promise<void> {
  const rows = figures.map((figure) => [
    figure.what,
    `${round(figure.value)} ${figure.unit}`,
    limitText(figure),
    verdict(figure),
  ])
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  const folder = join(import.meta.dirname, 'results')
  await mkdir(folder, { recursive: true })
  const machine = { cpus: cpus().length, model: cpus()[0]?.model, memory: totalmem(), node: process.version }
  await writeFile(
    join(folder, `${name}.json`),
    `${JSON.stringify({ name, at: new Date().toISOString(), machine, figures }, null, 2)}\n`,
  )
  console.log(`\nbench/results/${name}.json`)
}

function limitText({ limit, peer, unit }: Figure): string {
  if (!limit) return peer ? `peer: ${peer}` : ''
  return `${limit.isAtMost ? '≤' : '≥'} ${limit.value} ${unit}`
}

function verdict({ limit, value }: Figure): string {
  if (!limit) return ''
  return (limit.isAtMost ? value <= limit.value : value >= limit.value) ? 'holds' : 'MISSED'
}

const round = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2))
