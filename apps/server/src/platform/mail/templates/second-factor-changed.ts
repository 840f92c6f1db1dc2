import { type Mail, renderMail } from './layout.ts'

export function secondFactorChangedMail(about: { firstName: string; isOn: boolean; publicUrl: string }): Mail {
  const { isOn } = about
  return renderMail({
    subject: isOn ? 'Two-factor sign-in is now on' : 'Two-factor sign-in is now off',
    preview: isOn ? 'Signing in now takes a code from your app.' : 'Signing in now takes your password alone.',
    firstName: about.firstName,
    publicUrl: about.publicUrl,
    blocks: [
      {
        kind: 'text',
        text: isOn
          ? 'Signing in to your account now takes your password and a code from your authenticator app. Keep the recovery codes in a safe place.'
          : 'Signing in to your account now takes your password alone.',
      },
      { kind: 'text', text: 'If this was not you, set a new password at once.' },
      { kind: 'button', label: 'Set a new password', url: `${about.publicUrl}/forgot-password` },
    ],
  })
}
