import { PICTURE_COLORS, drawChart } from '../pictures/draw-chart.ts'
import { cutText } from './cut-text.ts'
import { type Mail, type MailContent, renderMail } from './layout.ts'
import { type MailTable, toTableBlocks } from './table-blocks.ts'

const MAX_LEGEND = 60
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
  | (MailTable & { readonly kind: 'table'; readonly title: string })

type Blocks = MailContent['blocks'][number][]

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
    subject: cutText(about.name.replaceAll(/\s+/g, ' '), MAX_SUBJECT),
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
  return [...(part.title ? [{ kind: 'text', text: part.title } as const] : []), ...toTableBlocks(part)]
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
      alt: `${cutText(range, MAX_SUBJECT)}, ${bounds}`,
      legend: series.map(({ label }, at) => ({
        color: PICTURE_COLORS[at % PICTURE_COLORS.length] ?? PICTURE_COLORS[0],
        label: cutText(label, MAX_LEGEND),
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
