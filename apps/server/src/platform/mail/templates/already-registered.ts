import { type Mail, renderMail } from './layout.ts'

export function alreadyRegisteredMail(about: { firstName: string; publicUrl: string }): Mail {
  return renderMail({
    subject: 'You already have a Trellis account',
    preview: 'Somebody tried to sign up with your e-mail address.',
    firstName: about.firstName,
    publicUrl: about.publicUrl,
    blocks: [
      {
        kind: 'text',
        text: 'Somebody, perhaps you, tried to sign up with this e-mail address. It already belongs to an account, so nothing was changed.',
      },
      { kind: 'button', label: 'Sign in', url: `${about.publicUrl}/login` },
      { kind: 'note', text: 'If you no longer know your password, choose "Forgot password" on the sign-in page.' },
    ],
  })
}
