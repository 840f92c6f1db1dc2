import { type Mail, renderMail } from './layout.ts'

export function dataflowAlertMail(about: {
  subject: string
  sentences: readonly string[]
  url: string
  publicUrl: string
}): Mail {
  return renderMail({
    subject: about.subject,
    preview: about.sentences[0] ?? '',
    firstName: '',
    publicUrl: about.publicUrl,
    blocks: [
      ...about.sentences.map((text) => ({ kind: 'text', text }) as const),
      { kind: 'button', label: 'Look at it', url: about.url },
      { kind: 'note', text: 'You get this mail because your address is in the alerts of the dataflow.' },
    ],
  })
}
