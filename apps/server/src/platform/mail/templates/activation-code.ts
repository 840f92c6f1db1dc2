import { type Mail, renderMail } from './layout.ts'

export function activationCodeMail(about: {
  firstName: string
  code: string
  minutes: number
  publicUrl: string
}): Mail {
  return renderMail({
    subject: 'Your Trellis activation code',
    preview: `It works for ${about.minutes} minutes.`,
    firstName: about.firstName,
    publicUrl: about.publicUrl,
    blocks: [
      { kind: 'text', text: 'Enter this code to activate your account.' },
      { kind: 'code', code: about.code },
      { kind: 'button', label: 'Open the activation page', url: `${about.publicUrl}/activate` },
      {
        kind: 'note',
        text: `The code works once, for ${about.minutes} minutes. Nobody from Trellis will ever ask you for it.`,
      },
      { kind: 'note', text: 'If you did not sign up, ignore this mail: without the code no account comes to be.' },
    ],
  })
}
