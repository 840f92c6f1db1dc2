import { type Mail, renderMail } from './layout.ts'

export function inviteMail(about: {
  accountName: string
  inviter: string
  email: string
  days: number
  publicUrl: string
}): Mail {
  const address = `${about.publicUrl}/signup?invited=1&email=${encodeURIComponent(about.email)}`
  return renderMail({
    subject: `${about.inviter} invites you to ${about.accountName} on Trellis`,
    preview: `The invite is open for ${about.days} days.`,
    firstName: '',
    publicUrl: about.publicUrl,
    blocks: [
      { kind: 'text', text: `${about.inviter} would like you to join the account ${about.accountName}.` },
      { kind: 'button', label: 'Create your profile', url: address },
      {
        kind: 'text',
        text: `You have a profile already? Sign in as ${about.email}: the invite waits on your list of workspaces.`,
      },
      { kind: 'note', text: `The invite is open for ${about.days} days and only for this e-mail address.` },
    ],
  })
}
