import { formatValue } from '@trellis/contract/charts/format-value'
import { PICTURE_COLORS, drawChart } from '../pictures/draw-chart.ts'
import { truncateText } from './cut-text.ts'
import { type Mail, type MailContent, renderMail } from './layout.ts'
import { type MailTable, toTableBlocks } from './table-blocks.ts'

const MAX_LEGEND = 60
const MAX_SUBJECT = 100
const MAX_FIGURES = 3
const MAX_BARS = 20

export type SparkMailPart =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly title: string; readonly value: string; readonly note: string }
  | {
      readonly kind: 'chart'
      readonly title: string
      readonly drawn: 'line' | 'bar'
      readonly places: readonly string[]
      readonly series: readonly { readonly label: string; readonly values: readonly (number | null)[] }[]
    }
  | (MailTable & { readonly kind: 'table'; readonly title: string })

type Blocks = MailContent['blocks'][number][]

export function scheduledSparkMail(about: {
  name: string
  firstName: string
  parts: readonly SparkMailPart[]
  staleSince: string | null
  url: string
  publicUrl: string
}): Mail {
  const { staleSince } = about
  return renderMail({
    subject: truncateText(about.name.replaceAll(/\s+/g, ' '), MAX_SUBJECT),
    preview: 'Your scheduled spark',
    firstName: about.firstName,
    publicUrl: about.publicUrl,
    blocks: [
      ...(staleSince === null
        ? []
        : [
            {
              kind: 'text',
              text: `Stale since ${staleSince.slice(0, 16).replace('T', ' ')} UTC: some of these are the last rows that could be read.`,
            } as const,
          ]),
      ...groupNumbers(about.parts).flatMap((group) => toBlocks(group)),
      { kind: 'button', label: 'Open spark', url: about.url },
      {
        kind: 'note',
        text: 'You get this mail because you scheduled this spark. Change or stop these mails on its page.',
      },
    ],
  })
}

function groupNumbers(parts: readonly SparkMailPart[]): SparkMailPart[][] {
  const groups: SparkMailPart[][] = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (part.kind === 'number' && last && last[0]?.kind === 'number' && last.length < MAX_FIGURES) last.push(part)
    else groups.push([part])
  }
  return groups
}

function toBlocks(group: readonly SparkMailPart[]): Blocks {
  const numbers = group.flatMap((part) => (part.kind === 'number' ? [part] : []))
  if (numbers.length > 0) return [{ kind: 'figures', figures: numbers }]
  return group.flatMap((part): Blocks => {
    if (part.kind === 'number') return []
    if (part.kind === 'text' || part.kind === 'heading') return [part]
    if (part.kind === 'chart') return toChart(part)
    return [...toHeading(part.title), ...toTableBlocks(part)]
  })
}

const toHeading = (text: string): Blocks => (text ? [{ kind: 'heading', text }] : [])

type ChartPart = Extract<SparkMailPart, { kind: 'chart' }>

function toChart(part: ChartPart): Blocks {
  const [only, ...others] = part.series
  const isBars = part.drawn === 'bar' && others.length === 0 && part.places.length <= MAX_BARS
  return only && isBars && only.values.every((value) => (value ?? 0) >= 0) ? toBars(part, only.values) : toPicture(part)
}

function toBars({ title, places }: ChartPart, values: readonly (number | null)[]): Blocks {
  const highest = Math.max(...values.map((value) => value ?? 0)) || 1
  const bars = places.map((place, at) => ({
    label: truncateText(place, MAX_LEGEND),
    value: formatValue(values[at] ?? null),
    percent: (100 * (values[at] ?? 0)) / highest,
  }))
  return [{ kind: 'bars', title, bars }]
}

function toPicture({ title, drawn, places, series }: ChartPart): Blocks {
  const values = series.flatMap((item) => item.values.filter((value) => value !== null))
  const range = places.length > 1 ? `${places[0]} to ${places.at(-1)}` : (places[0] ?? '')
  const bounds = [Math.min(...values), Math.max(...values)].map((value) => formatValue(value))
  const [lowest, highest] = bounds
  return [
    ...toHeading(title),
    {
      kind: 'picture',
      png: drawChart({ kind: drawn, series: series.map((item) => item.values) }),
      alt: `${truncateText(range, MAX_SUBJECT)}, from ${lowest} to ${highest}`,
      ends: [
        truncateText(places[0] ?? '', MAX_LEGEND),
        places.length > 1 ? truncateText(places.at(-1) ?? '', MAX_LEGEND) : '',
      ],
      note: `Lowest ${lowest}, highest ${highest}`,
      legend: series.map(({ label }, at) => ({
        color: PICTURE_COLORS[at % PICTURE_COLORS.length] ?? PICTURE_COLORS[0],
        label: truncateText(label, MAX_LEGEND),
      })),
    },
  ]
}
