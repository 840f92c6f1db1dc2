import { truncateText } from './cut-text.ts'
import { type Mail, renderMail } from './layout.ts'

const MAX_SUBJECT = 100

export function failedQuestionMail(about: {
  question: string
  firstName: string
  problem: string
  url: string
  publicUrl: string
}): Mail {
  return renderMail({
    subject: truncateText(`Not answered: ${about.question.replaceAll(/\s+/g, ' ')}`, MAX_SUBJECT),
    preview: 'Your scheduled question was not answered',
    firstName: about.firstName,
    publicUrl: about.publicUrl,
    blocks: [
      { kind: 'text', text: `Your scheduled question was not answered: ${about.problem}` },
      { kind: 'button', label: 'Show scheduled questions', url: about.url },
      {
        kind: 'note',
        text: 'The question is asked again by its schedule. You get the next mail once it is answered.',
      },
    ],
  })
}
