import { type Mail, renderMail } from './layout.ts'

const MAX_COLUMNS = 6
const MAX_CELL = 60
const MAX_LABEL = 30
const MAX_SUBJECT = 100

interface AnswerTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
  /** Rows that are not in the mail; nothing when their number is not known. */
  readonly more: number | null
}

interface AnswerChart {
  readonly title: string
  readonly bars: readonly { readonly label: string; readonly value: string; readonly percent: number }[]
}

const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

/** The answer to a scheduled question with the beginning of its table. */
export function scheduledAnswerMail(about: {
  question: string
  firstName: string
  texts: readonly string[]
  table: AnswerTable | undefined
  /** The first measure of the answer's chart, a bar for each row. */
  chart: AnswerChart | undefined
  url: string
  publicUrl: string
}): Mail {
  const { table, question, chart } = about
  const rest = table?.more === null ? 'There are more rows.' : table?.more ? `${table.more} more rows.` : ''
  return renderMail({
    subject: cut(question.replaceAll(/\s+/g, ' '), MAX_SUBJECT),
    preview: 'The answer to your scheduled question',
    firstName: about.firstName,
    publicUrl: about.publicUrl,
    blocks: [
      ...about.texts.map((text) => ({ kind: 'text', text }) as const),
      ...(chart
        ? [
            {
              kind: 'bars',
              title: cut(chart.title, MAX_CELL),
              bars: chart.bars.map((bar) => ({ ...bar, label: cut(bar.label, MAX_LABEL) })),
            } as const,
          ]
        : []),
      ...(table
        ? [
            {
              kind: 'table',
              columns: table.columns.slice(0, MAX_COLUMNS).map((name) => cut(name, MAX_CELL)),
              rows: table.rows.map((row) => row.slice(0, MAX_COLUMNS).map((cell) => cut(cell ?? '', MAX_CELL))),
            } as const,
          ]
        : []),
      ...(rest ? [{ kind: 'note', text: rest } as const] : []),
      { kind: 'button', label: 'Show answer and chart', url: about.url },
      {
        kind: 'note',
        text: 'You get this mail because you scheduled this question. Pause or delete it under AI, Jobs.',
      },
    ],
  })
}
