import { type Mail, renderMail } from './layout.ts'

export function resetCodeMail(about: { firstName: string; code: string; minutes: number; publicUrl: string }): Mail {
  return renderMail({
    subject: 'Your Trellis reset code',
    preview: `It works for ${about.minutes} minutes.`,
    firstName: about.firstName,
    publicUrl: about.publicUrl,
    blocks: [
      { kind: 'text', text: 'Enter this code to choose a new password.' },
      { kind: 'code', code: about.code },
      {
        kind: 'note',
        text: `The code works once, for ${about.minutes} minutes. Nobody from Trellis will ever ask you for it.`,
      },
      { kind: 'note', text: 'If you did not ask for it, ignore this mail: your password stays as it is.' },
    ],
  })
}
