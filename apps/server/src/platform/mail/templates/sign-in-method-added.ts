import { type Mail, renderMail } from './layout.ts'

export function signInMethodAddedMail(about: { firstName: string; method: string; publicUrl: string }): Mail {
  return renderMail({
    subject: 'A new way to sign in was added',
    preview: `You can now sign in with ${about.method}.`,
    firstName: about.firstName,
    publicUrl: about.publicUrl,
    blocks: [
      { kind: 'text', text: `You can now sign in to your account with ${about.method}.` },
      { kind: 'text', text: 'If this was not you, set a new password at once and write to whoever runs this Trellis.' },
      { kind: 'button', label: 'Set a new password', url: `${about.publicUrl}/forgot-password` },
    ],
  })
}
