import { type Mail, renderMail } from './layout.ts'

const TOKENS = {
  kept: 'Your personal access tokens keep working. Revoke the ones you no longer use in your profile.',
  revoked: 'All your personal access tokens were revoked.',
}

export function passwordChangedMail(about: { firstName: string; publicUrl: string; tokens: 'kept' | 'revoked' }): Mail {
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
      { kind: 'text', text: TOKENS[about.tokens] },
      { kind: 'text', text: 'If this was not you, set a new password at once.' },
      { kind: 'button', label: 'Set a new password', url: `${about.publicUrl}/forgot-password` },
    ],
  })
}
