import { type Mail, renderMail } from './layout.ts'

export type SecondFactorChange = 'on' | 'off' | 'new codes'

const WORDS: Record<SecondFactorChange, { subject: string; preview: string; text: string }> = {
  on: {
    subject: 'Two-factor sign-in is now on',
    preview: 'Signing in now takes a code from your app.',
    text: 'Signing in to your account now takes your password and a code from your authenticator app. Keep the recovery codes in a safe place.',
  },
  off: {
    subject: 'Two-factor sign-in is now off',
    preview: 'Signing in now takes your password alone.',
    text: 'Signing in to your account now takes your password alone.',
  },
  'new codes': {
    subject: 'You have new recovery codes',
    preview: 'The earlier ones do not work any more.',
    text: 'New recovery codes were made for your account. The earlier ones do not work any more. Keep the new ones in a safe place.',
  },
}

export function secondFactorChangedMail(about: {
  firstName: string
  change: SecondFactorChange
  publicUrl: string
}): Mail {
  const { subject, preview, text } = WORDS[about.change]
  return renderMail({
    subject,
    preview,
    firstName: about.firstName,
    publicUrl: about.publicUrl,
    blocks: [
      { kind: 'text', text },
      { kind: 'text', text: 'If this was not you, set a new password at once.' },
      { kind: 'button', label: 'Set a new password', url: `${about.publicUrl}/forgot-password` },
    ],
  })
}
