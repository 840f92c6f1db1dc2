import { type Mail, renderMail } from './layout.ts'

export function inviteMail(about: {
  accountName: string
  inviter: string
  email: string
  days: number
  hasProfile: boolean
  publicUrl: string
}): Mail {
  const email = encodeURIComponent(about.email)
  const signUp = `${about.publicUrl}/signup?invited=1&email=${email}`
  const signIn = `${about.publicUrl}/login?next=/profile/invites&email=${email}`
  return renderMail({
    subject: `${about.inviter} invites you to ${about.accountName} on Trellis`,
    preview: `The invite is open for ${about.days} days.`,
    firstName: '',
    publicUrl: about.publicUrl,
    blocks: [
      { kind: 'text', text: `${about.inviter} would like you to join the account ${about.accountName}.` },
      ...(about.hasProfile
        ? [
            { kind: 'button' as const, label: 'Sign in and answer', url: signIn },
            { kind: 'text' as const, text: `Sign in as ${about.email}: the invite is on your invites page.` },
          ]
        : [{ kind: 'button' as const, label: 'Create your profile', url: signUp }]),
      { kind: 'note', text: `The invite is open for ${about.days} days and only for this e-mail address.` },
    ],
  })
}
