import { type Mail, renderMail } from './layout.ts'

export function passwordChangedMail(about: { firstName: string; publicUrl: string }): Mail {
  return renderMail({
    subject: 'Your Trellis password was changed',
    preview: 'Other devices were signed out.',
    firstName: about.firstName,
    publicUrl: about.publicUrl,
    blocks: [
      {
        kind: 'text',
        text: 'The password of your account was changed just now, and your other devices were signed out.',
      },
      { kind: 'text', text: 'If this was not you, set a new password at once.' },
      { kind: 'button', label: 'Set a new password', url: `${about.publicUrl}/forgot-password` },
    ],
  })
}
