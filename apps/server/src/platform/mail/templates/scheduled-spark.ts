import { PICTURE_COLORS, drawChart } from '../pictures/draw-chart.ts'
import { type Mail, type MailContent, renderMail } from './layout.ts'

const MAX_COLUMNS = 6
const MAX_CELL = 60
const MAX_SUBJECT = 100

export type SparkMailPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly title: string; readonly value: string | null; readonly before: string | null }
  | {
      readonly kind: 'chart'
      readonly title: string
      readonly drawn: 'line' | 'bar'
      readonly places: readonly string[]
      readonly series: readonly { readonly label: string; readonly values: readonly (number | null)[] }[]
    }
  | {
      readonly kind: 'table'
      readonly title: string
      readonly columns: readonly string[]
      readonly rows: readonly (readonly string[])[]
      /** Rows that are not in the mail; nothing when their number is not known. */
      readonly more: number | null
    }

type Blocks = MailContent['blocks'][number][]

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

/** A spark as its person would see it now. */
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
    subject: cut(about.name.replaceAll(/\s+/g, ' '), MAX_SUBJECT),
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
      ...about.parts.flatMap((part) => toBlocks(part)),
      { kind: 'button', label: 'Open spark', url: about.url },
      {
        kind: 'note',
        text: 'You get this mail because you scheduled this spark. Pause or delete the mail on its page.',
      },
    ],
  })
}

function toBlocks(part: SparkMailPart): Blocks {
  if (part.kind === 'text') return [{ kind: 'text', text: part.text }]
  if (part.kind === 'number') return [{ kind: 'text', text: `${part.title}: ${part.value ?? '–'}${toChange(part)}` }]
  if (part.kind === 'chart') return toPicture(part)
  const rest = part.more === null ? 'There are more rows.' : part.more > 0 ? `${part.more} more rows.` : ''
  return [
    ...(part.title ? [{ kind: 'text', text: part.title } as const] : []),
    {
      kind: 'table',
      columns: part.columns.slice(0, MAX_COLUMNS).map((name) => cut(name, MAX_CELL)),
      rows: part.rows.map((row) => row.slice(0, MAX_COLUMNS).map((cell) => cut(cell, MAX_CELL))),
    },
    ...(rest ? [{ kind: 'note', text: rest } as const] : []),
  ]
}

function toPicture({ title, drawn, places, series }: Extract<SparkMailPart, { kind: 'chart' }>): Blocks {
  const values = series.flatMap((one) => one.values.filter((value) => value !== null))
  const range = places.length > 1 ? `${places[0]} to ${places.at(-1)}` : (places[0] ?? '')
  const bounds = `from ${format(Math.min(...values))} to ${format(Math.max(...values))}`
  return [
    ...(title ? [{ kind: 'text', text: title } as const] : []),
    {
      kind: 'picture',
      png: drawChart({ kind: drawn, series: series.map((one) => one.values) }),
      alt: `${cut(range, MAX_SUBJECT)}, ${bounds}`,
      legend: series.map(({ label }, at) => ({
        color: PICTURE_COLORS[at % PICTURE_COLORS.length] ?? PICTURE_COLORS[0],
        label: cut(label, MAX_CELL),
      })),
    },
  ]
}

const format = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 2 })

function toChange({ value, before }: { value: string | null; before: string | null }): string {
  const [now, then] = [Number(value), Number(before)]
  if (value === null || before === null || !Number.isFinite(now) || !Number.isFinite(then) || then === 0) return ''
  const percent = (100 * (now - then)) / Math.abs(then)
  return ` (${percent >= 0 ? '+' : ''}${percent.toFixed(1)} % against the period before)`
}
