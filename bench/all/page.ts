import { type Figure, type Result, isHeld, round } from '../report.ts'
import { CURVES, type Curve } from './plan.ts'
import { type Margin, type Point, plotCurve, plotMargins } from './plots.ts'

export interface Measured extends Result {
  readonly revision: string
  readonly isQuick: boolean
  /** Load of the machine over the minute before and at the end. */
  readonly load: readonly [number, number]
}

export interface Failed {
  readonly name: string
  readonly why: string
}

export interface Page {
  readonly text: string
  readonly plots: ReadonlyMap<string, string>
}

export function makePage(results: readonly Measured[], failed: readonly Failed[] = []): Page {
  const judged = results.flatMap(({ name, figures }) =>
    figures.flatMap((figure) => (figure.limit ? [{ name, figure }] : [])),
  )
  const missed = judged.filter(({ figure }) => !isHeld(figure))
  const plots = new Map<string, string>()
  const margins = judged.flatMap(({ name, figure }) => toMargin(name, figure))
  if (margins.length > 0) plots.set('limits.svg', plotMargins(margins))
  const curves = CURVES.flatMap((curve, at) => {
    const point = findPoints(curve, results)
    if (point.points.length < 2) return []
    plots.set(`growth-${at + 1}.svg`, plotCurve(point.points, { x: curve.x, unit: point.unit }))
    return [`### ${curve.title}\n`, `![${curve.title} by ${curve.x}](growth-${at + 1}.svg)\n`]
  })
  const text = [
    '# Benchmarks\n',
    'Written by `npm run bench`: every figure beside its limit, and beside its peer (psql, COPY, a bare driver or route) from the same run.\n',
    results.some(({ isQuick }) => isQuick)
      ? '**With quick runs of small sizes: they show that the benches work, and not how fast Trellis is.**\n'
      : '',
    `Of ${judged.length} limits ${judged.length - missed.length} held.\n`,
    '## What missed\n',
    missed.length + failed.length === 0 ? 'Nothing.\n' : '',
    ...missed.map(({ name, figure }) => `- ${name}: ${figure.what}: ${format(figure)}, limit ${formatLimit(figure)}`),
    ...failed.map(({ name, why }) => `- ${name}: no figures: ${why}`),
    '',
    ...(plots.has('limits.svg')
      ? ['## Distance to the limits\n', '![Figures against their limits](limits.svg)\n']
      : []),
    ...(curves.length > 0 ? ['## Growth\n', ...curves] : []),
    '## All figures\n',
    ...results.flatMap(toTable),
  ]
  return {
    text: `${text
      .filter((line, at) => line !== '' || text[at - 1] !== '')
      .join('\n')
      .trim()}\n`,
    plots,
  }
}

function toMargin(name: string, figure: Figure): Margin[] {
  const { value, limit } = figure
  if (!limit || limit.value <= 0 || !(value > 0)) return []
  return [{ what: `${name}: ${figure.what}`, share: limit.isAtMost ? limit.value / value : value / limit.value }]
}

function findPoints({ points }: Curve, results: readonly Measured[]): { points: Point[]; unit: string } {
  const found = points.flatMap(({ result, what, at }) =>
    (results.find(({ name }) => name === result)?.figures ?? []).flatMap((figure) => {
      const match = what.exec(figure.what)
      return match ? [{ x: at ?? Number(match[1]), y: figure.value, unit: figure.unit }] : []
    }),
  )
  return { points: found.toSorted((a, b) => a.x - b.x), unit: found[0]?.unit ?? '' }
}

const format = ({ value, unit }: Figure) => `${round(value)} ${unit}`.trim()
const formatLimit = ({ limit, unit }: Figure) =>
  limit ? `${limit.isAtMost ? '≤' : '≥'} ${limit.value} ${unit}`.trim() : ''
const escape = (text: string) => text.replaceAll('|', String.raw`\|`)

function toTable({ name, figures, revision, at, machine, load, isQuick }: Measured): string[] {
  const [before, after] = load.map((item) => item.toFixed(1))
  const gigabytes = Math.round(machine.memory / 1024 ** 3)
  return [
    `### ${name}\n`,
    `Revision ${revision}, ${at.slice(0, 10)}, ${machine.cpus} × ${machine.model ?? 'CPU'}, ${gigabytes} GiB, Node ${machine.node}, load of the machine ${before} before and ${after} after${isQuick ? ', a quick run' : ''}.\n`,
    '| figure | value | limit or peer | |',
    '| --- | --- | --- | --- |',
    ...figures.map((figure) => {
      const beside = figure.limit ? formatLimit(figure) : figure.peer ? `peer: ${escape(figure.peer)}` : ''
      const verdict = figure.limit ? (isHeld(figure) ? 'holds' : '**missed**') : ''
      return `| ${escape(figure.what)} | ${format(figure)} | ${beside} | ${verdict} |`
    }),
    '',
  ]
}
