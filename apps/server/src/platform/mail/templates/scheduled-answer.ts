import { truncateText } from './cut-text.ts'
import { type Mail, renderMail } from './layout.ts'
import { type MailTable, toTableBlocks } from './table-blocks.ts'

const MAX_TITLE = 60
const MAX_LABEL = 30
const MAX_SUBJECT = 100

interface AnswerChart {
  readonly title: string
  readonly bars: readonly { readonly label: string; readonly value: string; readonly percent: number }[]
}

export function scheduledAnswerMail(about: {
  question: string
  firstName: string
  texts: readonly string[]
  table: MailTable | undefined
  chart: AnswerChart | undefined
  url: string
  publicUrl: string
}): Mail {
  const { table, question, chart } = about
  return renderMail({
    subject: truncateText(question.replaceAll(/\s+/g, ' '), MAX_SUBJECT),
    preview: 'The answer to your scheduled question',
    firstName: about.firstName,
    publicUrl: about.publicUrl,
    blocks: [
      ...about.texts.map((text) => ({ kind: 'text', text }) as const),
      ...(chart
        ? [
            {
              kind: 'bars',
              title: truncateText(chart.title, MAX_TITLE),
              bars: chart.bars.map((bar) => ({ ...bar, label: truncateText(bar.label, MAX_LABEL) })),
            } as const,
          ]
        : []),
      ...(table ? toTableBlocks(table) : []),
      { kind: 'button', label: 'Show answer and chart', url: about.url },
      {
        kind: 'note',
        text: 'You get this mail because you scheduled this question. Pause or delete it under AI, Jobs.',
      },
    ],
  })
}
